import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { findClockJump, resetFutureTimes } from '#db/queries/clock.ts';
import { listEvents } from '#db/queries/events.ts';
import { metricSweepJob } from '#server/features/metrics/sweep-metrics.ts';
import { runMaintenance } from '#server/process/maintenance.ts';
import { insertEveryKindOfRow } from '../cli/support/every-kind-of-row.ts';
import { runJobs } from '../support/run-jobs.ts';
import { insertTestAccount, openTestApp, type TestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

async function runAndReadErrors(EVENT_DAYS = 90): Promise<unknown[]> {
  const { nameplate, log } = server;
  log.length = 0;
  await runMaintenance({ ...nameplate, config: { ...nameplate.config, EVENT_DAYS } });
  return log.filter(({ level }) => level === 50).map(({ err }) => err);
}

/**
 * Stores idempotent responses and keys of metrics from now, 23 hours ago and 25 hours ago. Returns a
 * function that lists the remaining ones.
 */
async function storeResponses(): Promise<() => Promise<string[]>> {
  const { id } = await insertTestAccount(server.db);
  await server.sql`
    INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, created_at)
    SELECT ${id}::uuid, 'POST', '/', hours, sha256(''), now() - hours * interval '1 hour'
    FROM unnest(ARRAY[0, 23, 25]) AS hours`;
  await server.sql`
    INSERT INTO metric_keys
    SELECT ${id}::uuid, gen_random_uuid(), gen_random_uuid(), now() - hours * interval '1 hour'
    FROM unnest(ARRAY[0, 23, 25]) AS hours`;
  return async () => {
    const rows = await server.sql<{ key: string }>`
      SELECT key FROM idempotency_keys WHERE account_id = ${id}
      UNION ALL SELECT (date_part('hour', now() - created_at) + 24 * date_part('day', now() - created_at))
        || ' (metric)' FROM metric_keys WHERE account_id = ${id} ORDER BY key`;
    return rows.map(({ key }) => key);
  };
}

it('stored responses are deleted after 24 hours', async () => {
  const listResponses = await storeResponses();
  expect(await listResponses()).toHaveLength(6);
  expect(await runAndReadErrors()).toEqual([]);
  expect(await listResponses()).toEqual(['0', '0 (metric)', '23', '23 (metric)']);
});

it('events are kept for the configured number of days, or forever with 0', async () => {
  const { id } = await insertTestAccount(server.db);
  await server.sql`
    INSERT INTO events (account_id, type, outcome, created_at)
    SELECT ${id}::uuid, 'display_name_updated', 'succeeded', now() - days * interval '1 day'
    FROM generate_series(1, 6000) AS days`;
  const count = async () => (await listEvents(server.db, id, { limit: 10_000 })).length;
  expect(await runAndReadErrors(0)).toEqual([]);
  expect(await count()).toBe(6_000);
  expect(await runAndReadErrors(90)).toEqual([]);
  expect(await count()).toBe(89);
});

it('audit entries are kept for two years', async () => {
  await server.sql`
    INSERT INTO audit_log (who, via, action, created_at)
    SELECT 'root', 'command', 'keys create', now() - months * interval '1 month'
    FROM generate_series(1, 40) AS months`;
  expect(await runAndReadErrors()).toEqual([]);
  expect(await listAuditEntries(server.db, { limit: 100 })).toHaveLength(23);
});

it('counts of stored bytes are kept until the end of the next day', async () => {
  const { id } = await insertTestAccount(server.db);
  const readDays = () => server.sql`SELECT day FROM daily_usage ORDER BY day DESC`;
  await server.sql`
    INSERT INTO daily_usage (account_id, day)
    SELECT ${id}::uuid, (now() AT TIME ZONE 'UTC')::date - age
    FROM generate_series(1, 10) AS age`;
  const [yesterday] = await readDays();
  expect(await runAndReadErrors()).toEqual([]);
  expect(await readDays()).toEqual([yesterday]);
});

it('a failing task is logged and does not stop the others', async () => {
  const listResponses = await storeResponses();
  const rows = await server.sql<{ partition: string }>`
    SELECT inhrelid::regclass::text AS partition FROM pg_inherits
    WHERE inhparent = 'metrics'::regclass ORDER BY 1 DESC`;
  await server.sql`ALTER TABLE ${sql.id(rows[0]!.partition)} RENAME TO elsewhere`;
  expect(await runAndReadErrors()).toEqual([expect.objectContaining({ code: '42P17' })]);
  expect(await listResponses()).toEqual(['0', '0 (metric)', '23', '23 (metric)']);
});

/** Moves all times by a number of days, as a jump of the clock in the other direction does. */
async function moveTimes({ sql: run }: TestApp, days: number): Promise<void> {
  const columns = await run<{ table: string; column: string; type: string }>`
      SELECT attrelid::regclass::text AS table, attname AS column, atttypid::regtype::text AS type
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE atttypid IN ('timestamptz'::regtype, 'date'::regtype) AND relkind IN ('r', 'p')
        AND NOT relispartition AND relname <> 'metrics' AND relnamespace
          IN (current_schema()::regnamespace, to_regnamespace('pgboss'))`;
  for (const { table, column, type } of columns)
    await run`UPDATE ${sql.raw(table)}
        SET ${sql.id(column)} = (${sql.id(column)} + ${days} * interval '1 day')::${sql.raw(type)}`;
}

async function countRows({ sql: run }: TestApp): Promise<Record<string, string>> {
  const tables = await run<{ name: string }>`
      SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
        AND relnamespace = current_schema()::regnamespace
        -- Written behind the response.
        AND relname NOT IN ('daily_usage', 'key_requests', 'page_visits')`;
  const counts: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await run<{ count: string }>`SELECT count(*) FROM ${sql.id(name)}`;
    counts[name] = row!.count;
  }
  return counts;
}

it('a clock that jumps deletes nothing because of its age, until it has run evenly for a day', async () => {
  const app = await openTestApp();
  await app.jobs.open();
  await insertEveryKindOfRow(app);
  await app.sql`UPDATE projects SET metric_retention_days = 1`;
  await app.sql`DELETE FROM metric_deletions`;
  await app.sql`DELETE FROM covers`;
  await moveTimes(app, -1_000);
  const before = await countRows(app);
  const runAfterHour = async (jumpedDaysAgo?: number) => {
    await app.sql`UPDATE last_maintenance SET finished_at = now() - interval '1 hour',
        clock_jumped_at = now() - ${jumpedDaysAgo}::float8 * interval '1 day'`;
    await runMaintenance(app.nameplate);
  };
  await runJobs(app.database, metricSweepJob, app.nameplate);
  await runMaintenance(app.nameplate);
  expect(await countRows(app)).toEqual(before);
  const [jump] = await app.sql`SELECT clock_jumped_at > now() - interval '1 hour' AS is_new
      FROM last_maintenance`;
  expect(jump).toEqual({ is_new: true });
  await runAfterHour(0.9);
  // Another jump while it waits.
  await app.sql`UPDATE last_maintenance SET finished_at = now() - interval '2 days',
      clock_jumped_at = now() - interval '2 days'`;
  await runMaintenance(app.nameplate);
  await app.sql`UPDATE last_maintenance SET finished_at = now() - interval '1 hour'`;
  await runMaintenance(app.nameplate);
  expect(await countRows(app)).toEqual(before);
  await runAfterHour(1.1);
  const after = await countRows(app);
  const emptied = Object.keys(before).filter((name) => before[name] !== after[name]);
  for (const name of ['events', 'idempotency_keys', 'metrics', 'pictures', 'sessions'])
    expect(emptied).toContain(name);
  expect(await app.sql`SELECT clock_jumped_at FROM last_maintenance`).toEqual([
    { clock_jumped_at: null },
  ]);
  expect(app.log).not.toContainEqual(expect.objectContaining({ level: 50 }));
});

it('a clock that jumps leaves no time in the future that jobs, limits and retries would wait for', async () => {
  const app = await openTestApp();
  await app.jobs.open();
  await insertEveryKindOfRow(app);
  await app.sql`UPDATE connections SET leased_until = now(), next_attempt_at = now()`;
  await app.sql`UPDATE pgboss.version SET cron_on = now()`;
  await app.sql`UPDATE alerts SET evaluated_at = now()`;
  await app.sql`INSERT INTO pgboss.job (name, state, start_after, started_on)
      SELECT 'backup', 'retry', now() + interval '10 minutes', now()`;
  expect(await resetFutureTimes(app.db)).toBe(false);
  await moveTimes(app, 400);
  expect(await resetFutureTimes(app.db)).toBe(true);
  const rows = await app.sql`
      SELECT 'cron' AS stuck FROM pgboss.version WHERE cron_on > now() + interval '1 minute'
      UNION ALL SELECT name FROM pgboss.job WHERE start_after > now() + interval '11 minutes'
      UNION ALL SELECT name FROM pgboss.queue WHERE maintain_on > now() OR monitor_claim_on > now()
      UNION ALL SELECT 'alert' FROM alerts WHERE evaluated_at > now()
      UNION ALL SELECT 'domain' FROM domains WHERE created_at > now() OR checked_at > now()
      UNION ALL SELECT 'backup' FROM last_backup WHERE finished_at > now()
      UNION ALL SELECT 'connection' FROM connections
        WHERE leased_until > now() OR next_attempt_at > now()
      UNION ALL SELECT 'session' FROM sessions WHERE created_at > now() OR last_seen_at > now()
      UNION ALL SELECT 'login link' FROM login_links WHERE expires_at > now()
      UNION ALL SELECT 'mail limit' FROM owner_mails WHERE created_at > now()
      UNION ALL SELECT 'week summary' FROM week_summaries WHERE sent_on > now()`;
  expect(rows).toEqual([]);
  expect(
    await app.sql`SELECT FROM invitations WHERE expires_at > now() + interval '1 year'`,
  ).toHaveLength(1);
  expect(await resetFutureTimes(app.db)).toBe(false);
  expect(await findClockJump(app.db)).toBeInstanceOf(Date);
});
