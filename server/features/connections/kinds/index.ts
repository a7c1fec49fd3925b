import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import { apprise } from './apprise.ts';
import type { KindOfConnection } from './connection-kind.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

export const KINDS: Readonly<Record<ConnectionKind, KindOfConnection>> = {
  discord,
  slack,
  telegram,
  ntfy,
  email,
  webhook,
  apprise,
};
