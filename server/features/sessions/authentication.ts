import { timingSafeEqual } from 'node:crypto';
import type { App } from '#server/app.ts';
import { findSessions, type StoredSession, touchSessions } from '#db/queries/sessions.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import type { Caller, CheckedCredentials } from '#server/platform/caller.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { findApiKeys, type StoredKey, touchApiKeys } from '#db/queries/api-keys.ts';
import { LastUsedTracker } from '../keys/last-used-tracker.ts';
import { type ApiKey, hashSecret, parseApiKey } from '../keys/api-key.ts';

const BATCH_SIZE = 100;
const EMPTY_HASH = Buffer.alloc(32);

/** Caches nothing, so a revoked credential stops working at once. */
export class Authentication {
  readonly keys: KeyChecker;
  readonly sessions: SessionChecker;

  /** Lookups use `readDb`, so that blocked writes do not delay them. */
  constructor(app: Pick<App, 'db' | 'log' | 'readDb'>) {
    const onError = (error: unknown) => app.log.error(error);
    this.keys = new KeyChecker(app, onError);
    this.sessions = new SessionChecker(app, onError);
  }

  async flush(): Promise<void> {
    await Promise.all([this.keys.lastUsed.flush(), this.sessions.lastUsed.flush()]);
  }
}

class SessionChecker {
  readonly #find: (tokenHash: string) => Promise<StoredSession | undefined>;
  readonly lastUsed: LastUsedTracker;

  constructor(
    { db, readDb }: { db: Database; readDb: ReadDatabase },
    onError: (error: unknown) => void,
  ) {
    this.#find = batchLookup((tokenHashes) => findSessions(readDb, tokenHashes), {
      gate: 'sessions',
      maxKeysPerBatch: BATCH_SIZE,
    });
    this.lastUsed = new LastUsedTracker((ids) => touchSessions(db, ids), onError);
  }

  async check(token: string): Promise<CheckedCredentials> {
    if (!isToken(token)) return { ok: false, reason: 'sessionMalformed' };
    const sessionRow = await this.#find(hashToken(token).toString('hex'));
    if (!sessionRow) return { ok: false, reason: 'sessionUnknown' };
    this.lastUsed.record(sessionRow.id, sessionRow.last_seen_at);
    const keyId = sessionRow.key_id ?? undefined;
    const caller: Caller = {
      accountId: sessionRow.account_id,
      // A session has no more rights than the key or login method that started it.
      scope: sessionRow.scope ?? 'operator',
      language: sessionRow.language,
      credential: { kind: 'session', sessionId: sessionRow.id, keyId },
    };
    return { ok: true, caller };
  }
}

class KeyChecker {
  readonly #find: (id: string) => Promise<StoredKey | undefined>;
  readonly lastUsed: LastUsedTracker;

  constructor(
    { db, readDb }: { db: Database; readDb: ReadDatabase },
    onError: (error: unknown) => void,
  ) {
    this.#find = batchLookup((ids) => findApiKeys(readDb, ids), {
      gate: 'keys',
      maxKeysPerBatch: BATCH_SIZE,
    });
    this.lastUsed = new LastUsedTracker((ids) => touchApiKeys(db, ids), onError);
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
    this.lastUsed.record(keyId, storedKey.last_used_at);
    const { account_id: accountId, scope } = storedKey;
    return { ok: true, caller: { accountId, scope, credential: { kind: 'key', keyId } } };
  }
}
