import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { findApiKey, type StoredKey, touchApiKey } from '../../../db/queries/api-keys.ts';
import type { Revocation } from '../../../db/revocations.ts';
import type { Database } from '../../../db/schema.ts';
import { type ApiKey, hashSecret, parseApiKey } from './api-key.ts';

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
  readonly #db: Kysely<Database>;
  readonly #reads: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  readonly #believedMs: number;
  readonly #keys = new LRUCache<string, StoredKey>({ max: REMEMBERED_KEYS });
  #generation = 0;

  /** Keys are looked up in `reads`, so that writes which wait for each other hold up no reader. */
  constructor(
    { db, reads }: { db: Kysely<Database>; reads: Kysely<Database> },
    onError: (error: unknown) => void,
    { believedMs = BELIEVED_MS }: { believedMs?: number | undefined } = {},
  ) {
    this.#db = db;
    this.#reads = reads;
    this.#onError = onError;
    this.#believedMs = believedMs;
  }

  /** The owner of the key in an `X-API-KEY` header, at once if the key is remembered; undefined if it is not valid. */
  check(header: string | string[] | undefined): Caller | undefined | Promise<Caller | undefined> {
    const key = typeof header === 'string' ? parseApiKey(header) : undefined;
    if (!key) return undefined;
    const remembered = this.#keys.get(key.id);
    if (remembered) return this.#compare(key, remembered);
    return this.#find(key.id).then((stored) => this.#compare(key, stored));
  }

  /** Forgets a key, the keys of an account or, without an argument, all keys: the next request of each asks the database. */
  forget(revoked?: Revocation): void {
    this.#generation += 1;
    if (revoked?.kind === 'key') this.#keys.delete(revoked.id);
    else
      for (const [id, { account_id }] of [...this.#keys])
        if (!revoked || account_id === revoked.id) this.#keys.delete(id);
  }

  async #find(id: string): Promise<StoredKey | undefined> {
    const generation = this.#generation;
    const start = performance.now();
    const stored = await findApiKey(this.#reads, id);
    const left = this.#believedMs - (performance.now() - start);
    if (stored && left > 0 && generation === this.#generation)
      this.#keys.set(id, stored, { ttl: left });
    return stored;
  }

  #compare({ id, secret }: ApiKey, stored: StoredKey | undefined): Caller | undefined {
    // Compared also when there is none, so that an unknown id takes as long as a wrong secret.
    const matches = timingSafeEqual(hashSecret(secret), stored?.secret_hash ?? NO_HASH);
    if (!stored || !matches) return undefined;
    this.#noteUse(id, stored);
    return { accountId: stored.account_id, keyId: id };
  }

  #noteUse(id: string, stored: StoredKey): void {
    const now = Date.now();
    if (stored.last_used_at && now - stored.last_used_at.getTime() < MINUTE_MS) return;
    stored.last_used_at = new Date(now);
    touchApiKey(this.#db, id).catch(this.#onError);
  }
}
