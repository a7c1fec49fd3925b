import { timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { findApiKeys, type StoredKey, touchApiKeys } from '#db/queries/api-keys.ts';
import { findSessions, touchSessions } from '#db/queries/sessions.ts';
import type { Core } from '#server/core.ts';
import type { Caller, CheckedCredentials } from '#server/platform/caller.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import { WriteBehind } from '#server/platform/limits/write-behind.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { type ApiKey, hashSecret, parseApiKey } from '../keys/api-key.ts';

const BATCH_SIZE = 100;
const FLUSH_INTERVAL_MS = 100;
const EMPTY_HASH = Buffer.alloc(32);

export type Authentication = ReturnType<typeof createAuthentication>;

/**
 * Caches nothing, so a revoked credential stops working at once. Lookups use `readDb`, so that
 * blocked writes do not delay them.
 */
export function createAuthentication({ db, log, readDb }: Pick<Core, 'db' | 'log' | 'readDb'>) {
  const limits = { maxKeysPerBatch: BATCH_SIZE };
  const findKey = batchLookup((ids) => findApiKeys(readDb, ids), { gate: 'keys', ...limits });
  const findSession = batchLookup((hashes) => findSessions(readDb, hashes), {
    gate: 'sessions',
    ...limits,
  });
  const usedKeys = trackUse(log, (ids) => touchApiKeys(db, ids));
  const usedSessions = trackUse(log, (ids) => touchSessions(db, ids));
  return {
    keys: {
      check: async (header: string | string[] | undefined): Promise<CheckedCredentials> => {
        if (header === undefined) return { ok: false, reason: 'keyMissing' };
        const key = typeof header === 'string' ? parseApiKey(header) : undefined;
        if (!key) return { ok: false, reason: 'keyMalformed' };
        const storedKey = await findKey(key.id);
        const checked = verifyKey(key, storedKey);
        if (checked.ok) usedKeys.record(key.id, storedKey!.last_used_at);
        return checked;
      },
    },
    tokens: {
      check: async (token: string): Promise<CheckedCredentials> => {
        if (!isToken(token)) return { ok: false, reason: 'sessionMalformed' };
        const session = await findSession(hashToken(token).toString('hex'));
        if (!session) return { ok: false, reason: 'sessionUnknown' };
        usedSessions.record(session.id, session.last_seen_at);
        const keyId = session.key_id ?? undefined;
        const caller: Caller = {
          accountId: session.account_id,
          actorId: session.account_id,
          // A session has no more rights than the key or login method that started it.
          scope: session.scope ?? 'operator',
          language: session.language,
          credential: { kind: 'session', sessionId: session.id, keyId },
        };
        return { ok: true, caller };
      },
    },
    close: async () => {
      await Promise.all([usedKeys.flush(), usedSessions.flush()]);
    },
  };
}

/** Records when keys and sessions were last used, at most once a minute for each. */
function trackUse(log: Core['log'], touch: (ids: string[]) => Promise<void>) {
  const used = new WriteBehind<true>({
    intervalMs: FLUSH_INTERVAL_MS,
    write: (entries) => touch(entries.map(([id]) => id)),
    merge: () => true,
    onError: (error) => log.error(error),
  });
  return {
    record: (id: string, lastUsedAt: Date | null) => {
      if (lastUsedAt === null || Date.now() - lastUsedAt.getTime() >= MINUTE_MS) used.add(id, true);
    },
    flush: () => used.flush(),
  };
}

function verifyKey(
  { id: keyId, secret }: ApiKey,
  storedKey: StoredKey | undefined,
): CheckedCredentials {
  // Compares a hash for unknown ids, too, so that they take as long as wrong secrets.
  const matches = timingSafeEqual(hashSecret(secret), storedKey?.secret_hash ?? EMPTY_HASH);
  if (!storedKey) return { ok: false, reason: 'keyUnknown' };
  if (!matches) return { ok: false, reason: 'secretWrong', keyId };
  const { account_id: accountId, scope, project_id, display_name: displayName } = storedKey;
  const rejected = { ok: false, keyId, accountId } as const;
  if (storedKey.revoked_at) return { ...rejected, reason: 'keyRevoked' };
  if (storedKey.expires_at && storedKey.expires_at.getTime() <= Date.now())
    return { ...rejected, reason: 'keyExpired' };
  if (storedKey.suspended_at) return { ...rejected, reason: 'accountSuspended' };
  return {
    ok: true,
    caller: {
      accountId,
      actorId: storedKey.actor_id ?? accountId,
      scope,
      displayName,
      keyProjectId: project_id ?? undefined,
      credential: { kind: 'key', keyId },
    },
  };
}
