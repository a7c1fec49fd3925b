import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** A busy pooler may seem to keep the session for a moment. */
const ROUNDS = 5;

/** A pooler in transaction mode shares sessions between clients. */
export class SharedSessionsError extends Error {
  override readonly name = 'SharedSessionsError';

  constructor() {
    super(
      'A pooler before PostgreSQL gives the connections of DATABASE_URL to others after each transaction: let it pool sessions (pool_mode = session in PgBouncer), or name PostgreSQL itself in DATABASE_URL.',
    );
  }
}

/**
 * Throws a `SharedSessionsError` if a connection of `db` does not keep its session, or if a connection of `others` has
 * the same one. LISTEN, prepared statements and session settings need a session of their own.
 */
export async function assertOwnSessions(
  db: Kysely<Database>,
  others: Kysely<Database>,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    const own = await findSession(connection);
    for (let round = 0; round < ROUNDS; round += 1) {
      if ((await findSession(others)) === own) throw new SharedSessionsError();
      // Twice: a pooler that rotates two sessions returns the same one every second time.
      for (let time = 0; time < 2; time += 1)
        if ((await findSession(connection)) !== own) throw new SharedSessionsError();
    }
  });
}

/** With the start time, because process ids are reused and other machines have the same ones. */
async function findSession(db: Kysely<Database>): Promise<string | undefined> {
  const { rows } = await sql<{ session: string }>`
    SELECT pid || ' since ' || extract(epoch FROM backend_start) AS session
    FROM pg_stat_activity WHERE pid = pg_backend_pid()`.execute(db);
  return rows[0]?.session;
}
