import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { deleteOldEvents, listEvents } from '#db/queries/events.ts';
import { runMaintenanceTasks } from '#server/process/maintenance.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Runs the maintenance and returns the errors that it logs. */
async function runMaintenance(eventDays = 90): Promise<unknown[]> {
  const log: unknown[] = [];
  await runMaintenanceTasks(
    database.db,
    { error: (entry: unknown) => log.push(entry) },
    {
      extraTasks: [() => deleteOldEvents(database.db, eventDays)],
    },
  );
  return log;
}

/**
 * Stores idempotent responses from now, 23 hours ago and 25 hours ago. Returns a function that
 * lists the remaining ones.
 */
async function storeResponses(): Promise<() => Promise<string[]>> {
  const { id } = await insertTestAccount(database.db);
  await sql`
    INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, created_at)
    SELECT ${id}::uuid, 'POST', '/', hours, sha256(''), now() - hours * interval '1 hour'
    FROM unnest(ARRAY[0, 23, 25]) AS hours`.execute(database.db);
  return async () => {
    const keys = database.db.selectFrom('idempotency_keys').select('key');
    return (await keys.where('account_id', '=', id).orderBy('key').execute()).map(({ key }) => key);
  };
}

it('stored responses are deleted after 24 hours', async () => {
  const listResponses = await storeResponses();
  expect(await listResponses()).toEqual(['0', '23', '25']);
  expect(await runMaintenance()).toEqual([]);
  expect(await listResponses()).toEqual(['0', '23']);
});

it('events are kept for the configured number of days, or forever with 0', async () => {
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

it('audit entries are kept for two years', async () => {
  await sql`
    INSERT INTO audit_log (who, via, action, created_at)
    SELECT 'root', 'command', 'keys create', now() - months * interval '1 month'
    FROM generate_series(1, 40) AS months`.execute(database.db);
  expect(await runMaintenance()).toEqual([]);
  expect(await listAuditEntries(database.db, { limit: 100 })).toHaveLength(23);
});

it('counts of stored bytes are kept until the end of the next day', async () => {
  const { id } = await insertTestAccount(database.db);
  const days = sql<string>`day::text`.as('day');
  await sql`
    INSERT INTO daily_usage (account_id, day)
    SELECT ${id}::uuid, (now() AT TIME ZONE 'UTC')::date - age
    FROM generate_series(1, 10) AS age`.execute(database.db);
  const [yesterday] = await database.db.selectFrom('daily_usage').select(days).execute();
  expect(await runMaintenance()).toEqual([]);
  expect(await database.db.selectFrom('daily_usage').select(days).execute()).toEqual([yesterday]);
});

it('a failing task is logged and does not stop the others', async () => {
  const listResponses = await storeResponses();
  const { rows } = await sql<{ partition: string }>`
    SELECT inhrelid::regclass::text AS partition FROM pg_inherits
    WHERE inhparent = 'metrics'::regclass`.execute(database.db);
  await sql`ALTER TABLE ${sql.id(rows[0]!.partition)} RENAME TO elsewhere`.execute(database.db);
  expect(await runMaintenance()).toEqual([{ err: expect.objectContaining({ code: '42P17' }) }]);
  expect(await listResponses()).toEqual(['0', '23']);
});
