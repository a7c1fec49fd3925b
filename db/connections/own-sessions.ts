import { sql } from 'kysely';
import type { Database, ReadDatabase } from './handles.ts';

/**
 * The check is repeated, because a pooler in transaction mode sometimes returns the same session.
 */
const MAX_ROUNDS = 5;

/** DATABASE_URL points to a pooler in transaction mode. */
export class SharedSessionsError extends Error {
  override readonly name = 'SharedSessionsError';

  constructor() {
    super(
      'DATABASE_URL points to a pooler that shares sessions between clients: use session pooling (pool_mode = session in PgBouncer), or connect to PostgreSQL directly.',
    );
  }
}

/**
 * Throws a `SharedSessionsError` if connections of `db` do not keep their session, or share it with
 * `otherDb`. LISTEN, prepared statements and session settings need a dedicated session.
 */
export async function assertOwnSessions(db: Database, otherDb: ReadDatabase): Promise<void> {
  await db.connection().execute(async (connection) => {
    const session = await getSessionId(connection);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if ((await getSessionId(otherDb)) === session) throw new SharedSessionsError();
      // Two checks make three queries per round. With an even number, a pooler that alternates
      // between two sessions would always return the expected one here.
      for (let check = 0; check < 2; check += 1)
        if ((await getSessionId(connection)) !== session) throw new SharedSessionsError();
    }
  });
}

/** The start time makes the id unique: pids are reused, and several servers can have the same pid. */
async function getSessionId(db: ReadDatabase): Promise<string | undefined> {
  const { rows } = await sql<{ session: string }>`
    SELECT pid || ' since ' || extract(epoch FROM backend_start) AS session
    FROM pg_stat_activity WHERE pid = pg_backend_pid()`.execute(db);
  return rows[0]?.session;
}
