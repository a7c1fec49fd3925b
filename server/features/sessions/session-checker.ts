import { findSessions, type StoredSession, touchSessions } from '#db/queries/sessions.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import type { Caller, CheckedCredentials } from '#server/platform/caller.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { LastUsedTracker } from '../keys/last-used-tracker.ts';

const BATCH_SIZE = 100;

export class SessionChecker {
  readonly #find: (tokenHash: string) => Promise<StoredSession | undefined>;
  readonly #lastUsed: LastUsedTracker;

  constructor(
    { db, readDb }: { db: Database; readDb: ReadDatabase },
    onError: (error: unknown) => void,
  ) {
    this.#find = batchLookup((tokenHashes) => findSessions(readDb, tokenHashes), {
      gate: 'sessions',
      maxKeysPerBatch: BATCH_SIZE,
    });
    this.#lastUsed = new LastUsedTracker((ids) => touchSessions(db, ids), onError);
  }

  async check(token: string): Promise<CheckedCredentials> {
    if (!isToken(token)) return { ok: false, reason: 'sessionMalformed' };
    const sessionRow = await this.#find(hashToken(token).toString('hex'));
    if (!sessionRow) return { ok: false, reason: 'sessionUnknown' };
    this.#lastUsed.record(sessionRow.id, sessionRow.last_seen_at);
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
