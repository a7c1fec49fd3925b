import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { findApiKey, type StoredKey } from '../../../db/queries/api-keys.ts';
import type { Revocation } from '../../../db/revocations.ts';
import type { Database } from '../../../db/schema.ts';
import type { Caller } from '../caller.ts';
import { type ApiKey, hashSecret, parseApiKey } from './api-key.ts';
import { StoredKeys } from './stored-keys.ts';
import { UseNotes } from './use-notes.ts';

const MINUTE_MS = 60_000;
const NO_HASH = Buffer.alloc(32);

/** Why a key lets nobody in, for the log: callers are told only that their account is suspended. */
export interface RefusedKey {
  reason:
    | 'keyMissing'
    | 'keyMalformed'
    | 'keyUnknown'
    | 'secretWrong'
    | 'keyRevoked'
    | 'accountSuspended';
  /** The id of a key that exists, never what a stranger made up. */
  keyId?: string;
}

/** Checks API keys against the database. */
export class Authentication {
  readonly #keys: StoredKeys;
  readonly #uses: UseNotes;

  /** Keys are looked up in `reads`, so that writes which wait for each other hold up no reader. */
  constructor(
    { db, reads }: { db: Kysely<Database>; reads: Kysely<Database> },
    onError: (error: unknown) => void,
    options: { believedMs?: number | undefined } = {},
  ) {
    this.#keys = new StoredKeys((id) => findApiKey(reads, id), options);
    this.#uses = new UseNotes(db, onError);
  }

  /** Who calls with an `X-API-KEY` header, at once if the key is remembered, or why nobody does. */
  check(header: string | string[] | undefined): Caller | RefusedKey | Promise<Caller | RefusedKey> {
    if (header === undefined) return { reason: 'keyMissing' };
    const key = typeof header === 'string' ? parseApiKey(header) : undefined;
    if (!key) return { reason: 'keyMalformed' };
    const stored = this.#keys.get(key.id);
    return stored instanceof Promise
      ? stored.then((found) => this.#compare(key, found))
      : this.#compare(key, stored);
  }

  /** Forgets a key, the keys of an account or, without an argument, all keys: the next request of each asks the database. */
  forget(revoked?: Revocation): void {
    this.#keys.forget(revoked);
  }

  #compare({ id, secret }: ApiKey, stored: StoredKey | undefined): Caller | RefusedKey {
    // Compared also when there is none, so that an unknown id takes as long as a wrong secret.
    const matches = timingSafeEqual(hashSecret(secret), stored?.secret_hash ?? NO_HASH);
    if (!stored) return { reason: 'keyUnknown' };
    if (!matches) return { reason: 'secretWrong', keyId: id };
    if (stored.revoked_at) return { reason: 'keyRevoked', keyId: id };
    if (stored.suspended_at) return { reason: 'accountSuspended', keyId: id };
    this.#noteUse(id, stored);
    return { accountId: stored.account_id, via: { kind: 'key', keyId: id } };
  }

  #noteUse(id: string, stored: StoredKey): void {
    const now = Date.now();
    if (stored.last_used_at && now - stored.last_used_at.getTime() < MINUTE_MS) return;
    stored.last_used_at = new Date(now);
    this.#uses.add(id);
  }
}
