import type { Kysely } from 'kysely';
import type { DatabaseShares } from '../../db/database-shares.ts';
import type { Database } from '../../db/schema.ts';
import type { Allowances } from '../service/allowances/allowances.ts';
import type { ChatPlatform } from '../service/chat-relay/chat-platform.ts';
import type { Authentication } from '../service/keys/authentication.ts';
import type { ForwardingRules } from '../service/forwarding/change-forwarding.ts';
import type { Limits } from '../http/guard.ts';
import type { ServerOptions } from '../http/server.ts';

/** Everything outside the application that it works with. */
export interface Dependencies extends ForwardingRules, ServerOptions {
  db: Kysely<Database>;
  /** Where single reading statements run; may be the same. */
  reads: Kysely<Database>;
  shares: DatabaseShares;
  authentication: Authentication;
  chatPlatform: ChatPlatform;
  /** Hosts that webhooks may be called on, each `host` or `host:port`. */
  webhookHosts: readonly string[];
  isReserved: (name: string) => boolean;
  quarantineDays: number;
  allowances: Allowances;
  limits: Limits;
  /** Origins that may call the API from a browser. */
  corsOrigins: readonly string[];
  /** Where callers find the service; without it, at the address that they asked. */
  publicUrl?: string | undefined;
}
