import type { Transaction } from 'kysely';
import { confirmAliasGone } from '../db/queries/email-forwarding.ts';
import type { Database } from '../db/schema.ts';

/** Brings mail forwarding outside to what the database says it should be. */
export interface Forwarding {
  /** Writes, in the caller's transaction, the job that makes the provider agree about a name. */
  queue: (trx: Transaction<Database>, name: string) => Promise<void>;
}

/** No provider: the database is the truth, which a mail server may read. */
export const noProvider: Forwarding = { queue: confirmAliasGone };
