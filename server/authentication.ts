import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { findApiKey, type StoredKey, touchApiKey } from '../db/queries/api-keys.ts';
import type { Database } from '../db/schema.ts';
import { hashSecret, parseApiKey } from './api-key.ts';

/** How long a key is believed without asking the database: within one second a revoked key is refused everywhere. */
const BELIEVED_MS = 800;
const REMEMBERED_KEYS = 10_000;
const MINUTE_MS = 60_000;
const NO_HASH = Buffer.alloc(32);

/** The owner of a valid key. */
export interface Caller {
  accountId: string;
  keyId: string;
}

/** Checks API keys against the database, each at most about once a second. */
export class Authentication {
  readonly #keys: LRUCache<string, StoredKey>;

  constructor(db: Kysely<Database>, onError: (error: unknown) => void) {
    this.#keys = new LRUCache<string, StoredKey>({
      max: REMEMBERED_KEYS,
      ttl: BELIEVED_MS,
      fetchMethod: async (id, _stale, { options }) => {
        const start = performance.now();
        const key = await findApiKey(db, id);
        options.ttl = Math.max(1, BELIEVED_MS - (performance.now() - start));
        return key;
      },
    });
    this.#onUse = (id, key) => {
      if (key.last_used_at && Date.now() - key.last_used_at.getTime() < MINUTE_MS) return;
      key.last_used_at = new Date();
      touchApiKey(db, id).catch(onError);
    };
  }

  readonly #onUse: (id: string, key: StoredKey) => void;

  /** The owner of the key in an `X-API-KEY` header; undefined if it is not valid. */
  async check(header: string | string[] | undefined): Promise<Caller | undefined> {
    const key = typeof header === 'string' ? parseApiKey(header) : undefined;
    if (!key) return undefined;
    const stored = this.#keys.get(key.id) ?? (await this.#keys.fetch(key.id));
    // Compared also when there is none, so that an unknown id takes as long as a wrong secret.
    const matches = timingSafeEqual(hashSecret(key.secret), stored?.secret_hash ?? NO_HASH);
    if (!stored || !matches) return undefined;
    this.#onUse(key.id, stored);
    return { accountId: stored.account_id, keyId: key.id };
  }

  /** Forgets all keys, so that the next request of each asks the database. */
  forget(): void {
    this.#keys.clear();
  }
}
