import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import type { KindOfConnection } from './connection-kind.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { ntfy } from './ntfy.ts';
import { webhook } from './webhook.ts';

export const KINDS: Readonly<Record<ConnectionKind, KindOfConnection>> = {
  discord,
  ntfy,
  email,
  webhook,
};
