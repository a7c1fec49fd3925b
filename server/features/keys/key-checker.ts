import { timingSafeEqual } from 'node:crypto';
import { findApiKeys, type StoredKey, touchApiKeys } from '#db/queries/api-keys.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import type { CheckedCredentials } from '#server/platform/caller.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import { LastUsedTracker } from './last-used-tracker.ts';
import { type ApiKey, hashSecret, parseApiKey } from './api-key.ts';

const BATCH_SIZE = 100;
const EMPTY_HASH = Buffer.alloc(32);

export class KeyChecker {
  readonly #find: (id: string) => Promise<StoredKey | undefined>;
  readonly #lastUsed: LastUsedTracker;

  constructor(
    { db, readDb }: { db: Database; readDb: ReadDatabase },
    onError: (error: unknown) => void,
  ) {
    this.#find = batchLookup((ids) => findApiKeys(readDb, ids), {
      gate: 'keys',
      maxKeysPerBatch: BATCH_SIZE,
    });
    this.#lastUsed = new LastUsedTracker((ids) => touchApiKeys(db, ids), onError);
  }

  async check(header: string | string[] | undefined): Promise<CheckedCredentials> {
    if (header === undefined) return { ok: false, reason: 'keyMissing' };
    const key = typeof header === 'string' ? parseApiKey(header) : undefined;
    if (!key) return { ok: false, reason: 'keyMalformed' };
    return this.#verify(key, await this.#find(key.id));
  }

  #verify({ id: keyId, secret }: ApiKey, storedKey: StoredKey | undefined): CheckedCredentials {
    // Compares a hash for unknown ids, too, so that they take as long as wrong secrets.
    const matches = timingSafeEqual(hashSecret(secret), storedKey?.secret_hash ?? EMPTY_HASH);
    if (!storedKey) return { ok: false, reason: 'keyUnknown' };
    if (!matches) return { ok: false, reason: 'secretWrong', keyId };
    if (storedKey.revoked_at) return { ok: false, reason: 'keyRevoked', keyId };
    if (storedKey.expires_at && storedKey.expires_at.getTime() <= Date.now())
      return { ok: false, reason: 'keyExpired', keyId };
    if (storedKey.suspended_at) return { ok: false, reason: 'accountSuspended', keyId };
    this.#lastUsed.record(keyId, storedKey.last_used_at);
    const { account_id: accountId, scope } = storedKey;
    return { ok: true, caller: { accountId, scope, credential: { kind: 'key', keyId } } };
  }
}
