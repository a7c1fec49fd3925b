import type { Reads } from '../../../db/connections/databases.ts';
import type { Kysely } from 'kysely';
import {
  findSession,
  type StoredSession,
  touchSessions,
} from '../../../db/queries/sessions/sessions.ts';
import type { Revocation } from '../../../db/revocations.ts';
import type { Database } from '../../../db/schema.ts';
import { AccessCache, type AccessCacheOptions } from '../access-cache.ts';
import type { Caller } from '../caller.ts';
import { hashToken, isToken } from '../token.ts';
import { LastUsed } from '../last-used.ts';

/** Why a session lets nobody in, for the log alone. */
export interface RefusedSession {
  reason: 'sessionMalformed' | 'sessionUnknown';
}

/** Checks the tokens of sessions against the database. */
export class SessionCheck {
  readonly #sessions: AccessCache<StoredSession>;
  readonly #uses: LastUsed;

  constructor(
    { db, reads }: { db: Kysely<Database>; reads: Reads },
    onError: (error: unknown) => void,
    options: Omit<AccessCacheOptions, 'gate'>,
  ) {
    this.#sessions = new AccessCache((hash) => findSession(reads, Buffer.from(hash, 'hex')), {
      gate: 'unknown-sessions',
      ...options,
    });
    this.#uses = new LastUsed((ids) => touchSessions(db, ids), onError);
  }

  /** Who calls with a token from a network, at once if it is remembered, or why nobody does. */
  check(
    token: string,
    network: () => string,
  ): Caller | RefusedSession | Promise<Caller | RefusedSession> {
    if (!isToken(token)) return { reason: 'sessionMalformed' };
    const stored = this.#sessions.get(hashToken(token).toString('hex'), network);
    return stored instanceof Promise
      ? stored.then((found) => this.#callerOf(found))
      : this.#callerOf(stored);
  }

  forget(revoked?: Revocation): void {
    this.#sessions.forget(
      revoked &&
        ((_hash, { id, account_id, key_id }) =>
          revoked.id === { session: id, account: account_id, key: key_id }[revoked.kind]),
    );
  }

  #callerOf(stored: StoredSession | undefined): Caller | RefusedSession {
    if (!stored) return { reason: 'sessionUnknown' };
    stored.last_seen_at = this.#uses.add(stored.id, stored.last_seen_at);
    const keyId = stored.key_id ?? undefined;
    return {
      accountId: stored.account_id,
      // Logging in with a key must not widen its scope.
      scope: stored.scope ?? 'operator',
      via: { kind: 'session', sessionId: stored.id, keyId },
    };
  }
}
