import type { ReadDatabase } from '#db/connections/read-database.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { findApiKeys, type StoredKey, touchApiKeys } from '#db/queries/api-keys.ts';
import type { Database } from '#db/schema.ts';
import type { Caller } from '#server/caller.ts';
import { batchLookup } from '#server/limits/batch-lookup.ts';
import { LastUsedTracker } from './last-used-tracker.ts';
import { type ApiKey, hashSecret, parseApiKey } from './api-key.ts';

const BATCH_SIZE = 100;
const EMPTY_HASH = Buffer.alloc(32);

/** `reason` is for the log. Responses reveal it only if it is `accountSuspended`. */
export interface KeyRejection {
  reason:
    | 'keyMissing'
    | 'keyMalformed'
    | 'keyUnknown'
    | 'secretWrong'
    | 'keyRevoked'
    | 'keyExpired'
    | 'accountSuspended';
  /** Only set if the key exists, so that the log never contains made-up ids. */
  keyId?: string;
}

export class KeyChecker {
  readonly #find: (id: string) => Promise<StoredKey | undefined>;
  readonly #lastUsed: LastUsedTracker;

  constructor(
    { db, readDb }: { db: Kysely<Database>; readDb: ReadDatabase },
    onError: (error: unknown) => void,
  ) {
    this.#find = batchLookup((ids) => findApiKeys(readDb, ids), {
      gate: 'keys',
      maxKeysPerBatch: BATCH_SIZE,
    });
    this.#lastUsed = new LastUsedTracker((ids) => touchApiKeys(db, ids), onError);
  }

  async check(header: string | string[] | undefined): Promise<Caller | KeyRejection> {
    if (header === undefined) return { reason: 'keyMissing' };
    const key = typeof header === 'string' ? parseApiKey(header) : undefined;
    return key ? this.#verify(key, await this.#find(key.id)) : { reason: 'keyMalformed' };
  }

  #verify({ id, secret }: ApiKey, storedKey: StoredKey | undefined): Caller | KeyRejection {
    // Compares a hash for unknown ids, too, so that they take as long as wrong secrets.
    const matches = timingSafeEqual(hashSecret(secret), storedKey?.secret_hash ?? EMPTY_HASH);
    if (!storedKey) return { reason: 'keyUnknown' };
    if (!matches) return { reason: 'secretWrong', keyId: id };
    if (storedKey.revoked_at) return { reason: 'keyRevoked', keyId: id };
    if (storedKey.expires_at && storedKey.expires_at.getTime() <= Date.now())
      return { reason: 'keyExpired', keyId: id };
    if (storedKey.suspended_at) return { reason: 'accountSuspended', keyId: id };
    this.#lastUsed.record(id, storedKey.last_used_at);
    const { account_id: accountId, scope } = storedKey;
    return { accountId, scope, credential: { kind: 'key', keyId: id } };
  }
}
