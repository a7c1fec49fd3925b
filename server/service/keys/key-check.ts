import type { Reads } from '../../../db/connections/databases.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { findApiKeys, type StoredKey, touchApiKeys } from '../../../db/queries/api-keys.ts';
import type { Revocation } from '../../../db/revocations.ts';
import type { Database } from '../../../db/schema.ts';
import { AccessCache, type AccessCacheOptions } from '../access-cache.ts';
import type { Caller } from '../caller.ts';
import { batchLookup } from '../../load/batch-lookup.ts';
import { LastUsed } from '../last-used.ts';
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
  readonly #keys: AccessCache<StoredKey>;
  readonly #uses: LastUsed;

  constructor(
    { db, reads }: { db: Kysely<Database>; reads: Reads },
    onError: (error: unknown) => void,
    options: Omit<AccessCacheOptions, 'gate'>,
  ) {
    this.#keys = new AccessCache(
      batchLookup((ids) => findApiKeys(reads, ids), { gate: 'keys', limit: KEYS }),
      { gate: 'unknown-keys', ...options },
    );
    this.#uses = new LastUsed((ids) => touchApiKeys(db, ids), onError);
  }

  /**
   * Who calls with an `X-API-KEY` header from a network, at once if the key is remembered, or why
   * nobody does.
   */
  check(
    header: string | string[] | undefined,
    network: () => string,
  ): Caller | RefusedKey | Promise<Caller | RefusedKey> {
    if (header === undefined) return { reason: 'keyMissing' };
    const key = typeof header === 'string' ? parseApiKey(header) : undefined;
    if (!key) return { reason: 'keyMalformed' };
    const stored = this.#keys.get(key.id, network);
    return stored instanceof Promise
      ? stored.then((found) => this.#compare(key, found))
      : this.#compare(key, stored);
  }

  forget(revoked?: Revocation): void {
    this.#keys.forget(
      revoked &&
        ((id, { account_id }) =>
          revoked.id === { key: id, account: account_id, session: undefined }[revoked.kind]),
    );
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
    stored.last_used_at = this.#uses.add(id, stored.last_used_at);
    const { account_id: accountId, scope } = stored;
    return { accountId, scope, via: { kind: 'key', keyId: id } };
  }
}
