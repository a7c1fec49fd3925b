import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listDeeds } from '../../db/queries/audit.ts';
import { deleteOldEvents, listEvents } from '../../db/queries/events.ts';
import { maintain } from '../../server/process/maintenance.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Runs the maintenance; what it logged. */
async function runMaintenance(eventDays = 90): Promise<unknown[]> {
  const log: unknown[] = [];
  await maintain(database.db, { error: (entry: unknown) => log.push(entry) }, [
    () => deleteOldEvents(database.db, eventDays),
  ]);
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

it('events are kept as many days as is set, and for ever with 0', async () => {
  const { id } = await insertTestAccount(database.db);
  await sql`
    INSERT INTO events (account_id, type, outcome, created_at)
    SELECT ${id}::uuid, 'display_name_updated', 'succeeded', now() - days * interval '1 day'
    FROM generate_series(1, 6000) AS days`.execute(database.db);
  const count = async () => (await listEvents(database.db, id, { limit: 10_000 })).length;
  expect(await runMaintenance(0)).toEqual([]);
  expect(await count()).toBe(6_000);
  expect(await runMaintenance(90)).toEqual([]);
  expect(await count()).toBe(89);
});

it('what administration did is kept for two years', async () => {
  await sql`
    INSERT INTO audit (who, via, action, created_at)
    SELECT 'root', 'command', 'keys create', now() - months * interval '1 month'
    FROM generate_series(1, 40) AS months`.execute(database.db);
  expect(await runMaintenance()).toEqual([]);
  expect(await listDeeds(database.db, { limit: 100 })).toHaveLength(23);
});

it('what was stored on a day is known until the next day is over', async () => {
  const { id } = await insertTestAccount(database.db);
  const days = sql<string>`day::text`.as('day');
  await sql`
    INSERT INTO account_days (account_id, day)
    SELECT ${id}::uuid, (now() AT TIME ZONE 'UTC')::date - age
    FROM generate_series(1, 10) AS age`.execute(database.db);
  const [yesterday] = await database.db.selectFrom('account_days').select(days).execute();
  expect(await runMaintenance()).toEqual([]);
  expect(await database.db.selectFrom('account_days').select(days).execute()).toEqual([yesterday]);
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
