import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

it('servers that migrate an empty database at once all succeed, and one of them did the work', async () => {
  const url = await createPostgresDatabase();
  const databases = Array.from({ length: 5 }, () =>
    connectPostgresDatabase(url, { max: 1, timeLimits: false }),
  );
  try {
    const ran = await Promise.all(databases.map(({ db }) => migrate(db)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await migrate(databases[0]!.db)).toEqual([]);
    const { rows } = await sql<{ partitions: number }>`
      SELECT count(*)::integer AS partitions FROM pg_inherits
      WHERE inhparent = 'metrics'::regclass`.execute(databases[0]!.db);
    expect(rows).toEqual([{ partitions: 4 }]);
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
});

it('two server processes that start at once on an empty database both come up', async () => {
  const DATABASE_URL = await createPostgresDatabase();
  const servers = await Promise.all([startServer({ DATABASE_URL }), startServer({ DATABASE_URL })]);
  for (const { url } of servers)
    expect(await fetchJson(`${url}/readyz`)).toEqual({ status: 200, body: { status: 'ready' } });
});
