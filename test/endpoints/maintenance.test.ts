import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { listAuditEntries } from '../../db/queries/audit.ts';
import { deleteOldEvents, listEvents } from '../../db/queries/events.ts';
import { maintain } from '../../server/process/maintenance.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { untilLocked } from '../support/until-locked.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const NOON = `${TODAY}T12:00:00Z`;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
afterEach(() => vi.useRealTimers());

/** Runs the maintenance; what it logged. */
async function runMaintenance(eventDays = 90): Promise<unknown[]> {
  const log: unknown[] = [];
  await maintain(database.db, { error: (entry: unknown) => log.push(entry) }, [
    () => deleteOldEvents(database.db, eventDays),
  ]);
  return log;
}

/** One of the noon that it is from now on, one of the noon before, and one of the noon before that. */
async function storeAnswersOfThreeDays(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOON) });
  const { id } = await insertTestAccount(database.db);
  await sql`
    INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, created_at, part)
    SELECT ${id}::uuid, 'POST', '/', days, sha256(''), ${NOON}::timestamptz - days * interval '1 day',
      floor(extract(epoch FROM ${NOON}::timestamptz) / 86400 - days)::integer % 3
    FROM generate_series(0, 2) AS days`.execute(database.db);
}

async function listAnswers(): Promise<string[]> {
  const answers = database.db.selectFrom('idempotency_keys').select('key').distinct();
  return (await answers.orderBy('key').execute()).map(({ key }) => key);
}

it('answers of today and yesterday are kept, and those before are forgotten', async () => {
  await storeAnswersOfThreeDays();
  expect(await runMaintenance()).toEqual([]);
  expect(await listAnswers()).toEqual(['0', '1']);
});

it('no answers are forgotten about midnight, when it is another day for some servers', async () => {
  await storeAnswersOfThreeDays();
  vi.setSystemTime(`${TODAY}T23:30:00Z`);
  expect(await runMaintenance()).toEqual([]);
  expect(await listAnswers()).toEqual(['0', '1', '2']);
});

it('who uses the answers waits a moment for what is forgotten, which waits for them', async () => {
  await storeAnswersOfThreeDays();
  const reading = await database.db.startTransaction().execute();
  await reading.selectFrom('idempotency_keys').select('key').execute();
  const maintained = runMaintenance();
  await untilLocked(database.db);
  expect(await listAnswers()).toEqual(['0', '1', '2']);
  await reading.rollback().execute();
  expect(await maintained).toEqual([]);
  expect(await listAnswers()).toEqual(['0', '1']);
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
  expect(await listAuditEntries(database.db, { limit: 100 })).toHaveLength(23);
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
  await storeAnswersOfThreeDays();
  const { rows } = await sql<{ partition: string }>`
    SELECT inhrelid::regclass::text AS partition FROM pg_inherits
    WHERE inhparent = 'metrics'::regclass`.execute(database.db);
  await sql`ALTER TABLE ${sql.id(rows[0]!.partition)} RENAME TO elsewhere`.execute(database.db);
  expect(await runMaintenance()).toEqual([{ err: expect.objectContaining({ code: '42P17' }) }]);
  expect(await listAnswers()).toEqual(['0', '1']);
});
