import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { maintain } from '../../server/process/maintenance.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Runs the maintenance; what it logged. */
async function runMaintenance(): Promise<unknown[]> {
  const log: unknown[] = [];
  await maintain(database.db, { error: (entry: unknown) => log.push(entry) });
  return log;
}

async function storeExpiredAnswers(): Promise<void> {
  const { id } = await insertTestAccount(database.db);
  await sql`
    INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, created_at)
    SELECT ${id}::uuid, 'POST', '/', number, sha256(''), now() - interval '25 hours'
    FROM generate_series(1, 2000) AS number`.execute(database.db);
}

async function countAnswers(): Promise<number> {
  const rows = await database.db.selectFrom('idempotency_keys').select('key').execute();
  return rows.length;
}

it('answers are forgotten after a day', async () => {
  await storeExpiredAnswers();
  expect(await runMaintenance()).toEqual([]);
  expect(await countAnswers()).toBe(0);
});

it('a task that fails is logged and keeps no other from being done', async () => {
  await storeExpiredAnswers();
  const { rows } = await sql<{ partition: string }>`
    SELECT inhrelid::regclass::text AS partition FROM pg_inherits
    WHERE inhparent = 'metrics'::regclass`.execute(database.db);
  await sql`ALTER TABLE ${sql.id(rows[0]!.partition)} RENAME TO elsewhere`.execute(database.db);
  expect(await runMaintenance()).toEqual([{ err: expect.objectContaining({ code: '42P17' }) }]);
  expect(await countAnswers()).toBe(0);
});
