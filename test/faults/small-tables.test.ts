import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { storeAnswer } from '../../db/queries/idempotency-keys.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

it('a statement that is planned while its table is empty uses the index when it has grown', async () => {
  const url = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(url, { byIndex: true, max: 1 });
  await sql`ANALYZE idempotency_keys`.execute(db);
  const key = { accountId: crypto.randomUUID(), method: 'POST', path: '/x', key: 'k' };
  const scans = async () => {
    await sql`SELECT pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ count: string }>`SELECT seq_scan AS count
      FROM pg_stat_user_tables WHERE relname = 'idempotency_keys'`.execute(db);
    return rows[0]!.count;
  };
  const before = await scans();
  // After five times the plan is kept.
  for (let time = 0; time < 8; time += 1)
    await storeAnswer(db, { ...key, bodyHash: Buffer.alloc(32) }, { status: 200, json: '{}' });
  expect(await scans()).toBe(before);
  await close();
});
