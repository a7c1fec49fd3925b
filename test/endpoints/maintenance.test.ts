import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { listEvents } from '#db/queries/events.ts';
import { runMaintenance } from '#server/process/maintenance.ts';
import { insertTestAccount } from '../support/test-app.ts';
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
