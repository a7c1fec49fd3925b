import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { migrate } from '#db/migrating/migrate.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { connectPostgresDatabase, openTestDatabase } from '../support/test-database.ts';

it("several servers can create a new month's partitions at once", async () => {
  const first = await openTestDatabase();
  const second = connectPostgresDatabase(first.url);
  try {
    const nextYear = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 11, 31));
    const servers = [first.db, second.db, first.db, second.db];
    await Promise.all(
      servers.map((db) => inTransaction(db, (trx) => createMetricPartitions(trx, nextYear))),
    );
    await migrate(second.db);
    const { rows } = await sql<{ partitions: number }>`
      SELECT count(*)::integer AS partitions FROM pg_inherits
      WHERE inhparent = 'metrics'::regclass`.execute(first.db);
    expect(rows).toEqual([{ partitions: 8 }]);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});
