import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** A pooler that is busy with others may seem to keep to one session for a moment. */
const ROUNDS = 5;

/** A pooler gives the sessions behind connections to whoever has the next transaction. */
export class SharedSessionsError extends Error {
  override readonly name = 'SharedSessionsError';

  constructor() {
    super(
      'A pooler before PostgreSQL gives the connections of DATABASE_URL to others after each transaction: let it pool sessions (pool_mode = session in PgBouncer), or name PostgreSQL itself in DATABASE_URL.',
    );
  }
}

/**
 * Fails if a connection of `db` does not keep its session, or one of `others` has it at the same time.
 * What listens, prepares statements or sets something for its connection needs one of its own.
 */
export async function assertOwnSessions(
  db: Kysely<Database>,
  others: Kysely<Database>,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    const own = await findSession(connection);
    for (let round = 0; round < ROUNDS; round += 1) {
      if ((await findSession(others)) === own) throw new SharedSessionsError();
      // Poolers take either the session that was used last, or each in turn: of two, every second one
      // would be the same.
      for (let time = 0; time < 2; time += 1)
        if ((await findSession(connection)) !== own) throw new SharedSessionsError();
    }
  });
}

/** Ids of processes are used again, and by other machines. */
async function findSession(db: Kysely<Database>): Promise<string | undefined> {
  const { rows } = await sql<{ session: string }>`
    SELECT pid || ' since ' || extract(epoch FROM backend_start) AS session
    FROM pg_stat_activity WHERE pid = pg_backend_pid()`.execute(db);
  return rows[0]?.session;
}
