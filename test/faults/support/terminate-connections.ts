import { sql } from 'kysely';
import { eventually } from '#test/support/eventually.ts';
import type { TestDatabase } from '#test/support/test-database.ts';

/** Terminates all other connections to a database and waits until they are closed. */
export async function terminateConnections({ db }: TestDatabase): Promise<void> {
  await db.connection().execute(async (connection) => {
    const others = sql`FROM pg_stat_activity WHERE datname = current_database()
      AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    await sql`SELECT pg_terminate_backend(pid) ${others}`.execute(connection);
    await eventually(
      () => sql`SELECT ${others}`.execute(connection),
      ({ rows }) => rows.length === 0,
    );
  });
}
