import type { Screen } from '#dashboard/shell/screen.ts';
import { activity } from './activity/screen.ts';
import { addresses } from './addresses/screen.ts';
import { appearance, legalTexts } from './appearance/screen.ts';
import { connectedApps } from './connected-apps/screen.ts';
import { connections } from './connections/screen.ts';
import { domains } from './domains/screen.ts';
import { groups } from './groups/screen.ts';
import { addMembers, invitations } from './invitations/screen.ts';
import { keep, keepers } from './keepers/screen.ts';
import { keys } from './keys/screen.ts';
import { mail } from './mail/screen.ts';
import { members } from './members/screen.ts';
import { messages } from './messages/screen.ts';
import { metrics } from './metrics/screen.ts';
import { home } from './overview/screen.ts';
import { page } from './page/screen.ts';
import { reports } from './reports/screen.ts';
import { server } from './server/screen.ts';
import { settings } from './settings/screen.ts';
import { visitors } from './visitors/screen.ts';
import { websites } from './websites/screen.ts';

/** In the order of the navigation, which groups them. */
export const screens: readonly Screen[] = [
  home,
  page,
  visitors,
  mail,
  activity,
  settings,
  keepers,
  keep,
  domains,
  connectedApps,
  metrics,
  keys,
  connections,
  members,
  groups,
  invitations,
  addMembers,
  messages,
  addresses,
  reports,
  server,
  websites,
  appearance,
  legalTexts,
];
