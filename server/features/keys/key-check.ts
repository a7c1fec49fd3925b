import type { Reads } from '#db/connections/databases.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { findApiKeys, type StoredKey, touchApiKeys } from '#db/queries/api-keys.ts';
import type { Database } from '#db/schema.ts';
import type { Caller } from '#server/caller.ts';
import { batchLookup } from '#server/limits/batch-lookup.ts';
import { LastUsed } from './last-used.ts';
import { type ApiKey, hashSecret, parseApiKey } from './api-key.ts';

/** Maximum number of keys in one look-up statement. */
const KEYS = 100;
const NO_HASH = Buffer.alloc(32);

/** Why a key lets nobody in, for the log: callers are told only that their account is suspended. */
export interface RefusedKey {
  reason:
    | 'keyMissing'
    | 'keyMalformed'
    | 'keyUnknown'
    | 'secretWrong'
    | 'keyRevoked'
    | 'keyExpired'
    | 'accountSuspended';
  /** The id of a key that exists, never what a stranger made up. */
  keyId?: string;
}

/** Checks API keys against the database. */
export class KeyCheck {
  readonly #find: (id: string) => Promise<StoredKey | undefined>;
  readonly #uses: LastUsed;

  constructor(
    { db, reads }: { db: Kysely<Database>; reads: Reads },
    onError: (error: unknown) => void,
  ) {
    this.#find = batchLookup((ids) => findApiKeys(reads, ids), { gate: 'keys', limit: KEYS });
    this.#uses = new LastUsed((ids) => touchApiKeys(db, ids), onError);
  }

  /** Who calls with an `X-API-KEY` header, or why nobody does. */
  async check(header: string | string[] | undefined): Promise<Caller | RefusedKey> {
    if (header === undefined) return { reason: 'keyMissing' };
    const key = typeof header === 'string' ? parseApiKey(header) : undefined;
    return key ? this.#compare(key, await this.#find(key.id)) : { reason: 'keyMalformed' };
  }

  #compare({ id, secret }: ApiKey, stored: StoredKey | undefined): Caller | RefusedKey {
    // Compared also when there is none, so that an unknown id takes as long as a wrong secret.
    const matches = timingSafeEqual(hashSecret(secret), stored?.secret_hash ?? NO_HASH);
    if (!stored) return { reason: 'keyUnknown' };
    if (!matches) return { reason: 'secretWrong', keyId: id };
    if (stored.revoked_at) return { reason: 'keyRevoked', keyId: id };
    if (stored.expires_at && stored.expires_at.getTime() <= Date.now())
      return { reason: 'keyExpired', keyId: id };
    if (stored.suspended_at) return { reason: 'accountSuspended', keyId: id };
    this.#uses.add(id, stored.last_used_at);
    const { account_id: accountId, scope } = stored;
    return { accountId, scope, via: { kind: 'key', keyId: id } };
  }
}
