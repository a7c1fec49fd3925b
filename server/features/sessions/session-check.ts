import type { Reads } from '#db/connections/databases.ts';
import type { Kysely } from 'kysely';
import { findSessions, type StoredSession, touchSessions } from '#db/queries/sessions/sessions.ts';
import type { Database } from '#db/schema.ts';
import { batchLookup } from '#server/limits/batch-lookup.ts';
import type { Caller } from '#server/caller.ts';
import { hashToken, isToken } from '#server/token.ts';
import { LastUsed } from '../keys/last-used.ts';

/** Maximum number of sessions in one look-up statement. */
const SESSIONS = 100;

/** Why a session lets nobody in, for the log alone. */
export interface RefusedSession {
  reason: 'sessionMalformed' | 'sessionUnknown';
}

/** Checks the tokens of sessions against the database. */
export class SessionCheck {
  readonly #find: (tokenHash: string) => Promise<StoredSession | undefined>;
  readonly #uses: LastUsed;

  constructor(
    { db, reads }: { db: Kysely<Database>; reads: Reads },
    onError: (error: unknown) => void,
  ) {
    this.#find = batchLookup((tokenHashes) => findSessions(reads, tokenHashes), {
      gate: 'sessions',
      limit: SESSIONS,
    });
    this.#uses = new LastUsed((ids) => touchSessions(db, ids), onError);
  }

  /** Who calls with a token, or why nobody does. */
  async check(token: string): Promise<Caller | RefusedSession> {
    if (!isToken(token)) return { reason: 'sessionMalformed' };
    const stored = await this.#find(hashToken(token).toString('hex'));
    if (!stored) return { reason: 'sessionUnknown' };
    this.#uses.add(stored.id, stored.last_seen_at);
    const keyId = stored.key_id ?? undefined;
    return {
      accountId: stored.account_id,
      // Logging in with a key must not widen its scope.
      scope: stored.scope ?? 'operator',
      via: { kind: 'session', sessionId: stored.id, keyId },
    };
  }
}
