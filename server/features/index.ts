import { accounts } from './accounts/feature.ts';
import { addresses } from './addresses/feature.ts';
import { alerts } from './alerts/feature.ts';
import { audit } from './audit/feature.ts';
import { backups } from './backups/feature.ts';
import { chat } from './chat/feature.ts';
import { connections } from './connections/feature.ts';
import { covers } from './covers/feature.ts';
import { domains } from './domains/feature.ts';
import { events } from './events/feature.ts';
import { forwarding } from './forwarding/feature.ts';
import { groups } from './groups/feature.ts';
import { instance } from './instance/feature.ts';
import { invitations } from './invitations/feature.ts';
import { keepers } from './keepers/feature.ts';
import { keys } from './keys/feature.ts';
import { mails } from './mails/feature.ts';
import { members } from './members/feature.ts';
import { messages } from './messages/feature.ts';
import { metrics } from './metrics/feature.ts';
import { names } from './names/feature.ts';
import { oauth } from './oauth/feature.ts';
import { passkeys } from './passkeys/feature.ts';
import { pictures } from './pictures/feature.ts';
import { projects } from './projects/feature.ts';
import { reports } from './reports/feature.ts';
import { serverStatus } from './server-status/feature.ts';
import { sessions } from './sessions/feature.ts';
import { signOn } from './sign-on/feature.ts';
import { signUp } from './sign-up/feature.ts';
import { sites } from './sites/feature.ts';
import { visitors } from './visitors/feature.ts';
import { weekSummaries } from './week-summaries/feature.ts';

/**
 * Services are created and facts reach the features in this order, which is also that of locks: after
 * the accounts, `groups` and `addresses` lock groups, then `forwarding` locks aliases. Another order could deadlock.
 */
export const FEATURES = [
  accounts,
  names,
  sites,
  visitors,
  backups,
  groups,
  addresses,
  forwarding,
  domains,
  keys,
  keepers,
  passkeys,
  signOn,
  sessions,
  oauth,
  chat,
  connections,
  messages,
  alerts,
  events,
  weekSummaries,
  projects,
  metrics,
  pictures,
  covers,
  instance,
  invitations,
  mails,
  members,
  reports,
  audit,
  serverStatus,
  signUp,
] as const;
