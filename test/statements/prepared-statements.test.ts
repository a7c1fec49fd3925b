import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it('each connection prepares 500 statements, whatever the others sent', async () => {
  const countPrepared = async (prefix: string) => {
    const { db, close } = connectPostgresDatabase(server.database.url, { max: 1 });
    for (let number = 0; number < 510; number += 1)
      await sql`SELECT ${1}::int AS ${sql.ref(`${prefix}${number}`)}`.execute(db);
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int FROM pg_prepared_statements`.execute(db);
    await close();
    return rows[0]!.count;
  };
  expect([await countPrepared('first'), await countPrepared('second')]).toEqual([500, 500]);
});
