import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Measure } from '../contract/metric-query.ts';
import { migrate } from '../db/migrating/migrate.ts';
import { createMetricPartitions } from '../db/partitions.ts';
import { connectPostgres, REQUEST_LIMITS } from '../db/connections/postgres.ts';
import type { Database } from '../db/schema.ts';
import { bucketFor, queryMetrics } from '../server/service/metrics/query-metrics.ts';
import { whenInterrupted } from './interrupted.ts';
import { postgresServer } from './place.ts';
import { seed } from './seed.ts';

const HELP = `Usage: npm run bench:metrics -- [--rows N] [--rounds N]

Stores metrics of one project, spread over a year, on a real PostgreSQL server of its own, asks about
them as owners do, and prints how long that takes. Ten million take 3 GB and two minutes.

  --rows N    metrics in the year (default 1000000)
  --rounds N  how often each question is asked (default 5)
`;

const DAY = 86_400_000;
const SLICE = 500_000;
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const rows = Number(values.rows);
const until = Math.floor(Date.now() / DAY) * DAY;

const one: Measure[] = [{ path: ['visitors'], aggregate: 'sum' }];
const two: Measure[] = [...one, { path: ['duration'], aggregate: 'avg' }];
const daysOf100k = (100_000 / rows) * 365;
const QUESTIONS = [
  { what: '100,000 metrics, one measure', days: daysOf100k, measures: one },
  { what: '100,000 metrics, two measures', days: daysOf100k, measures: two },
  { what: '100,000 metrics by country', days: daysOf100k, measures: one, groupBy: ['country'] },
  { what: '100,000 metrics, p95 and distinct', days: daysOf100k, measures: rare() },
  { what: 'a month, two measures', days: 30, measures: two },
  { what: 'a year, two measures', days: 365, measures: two },
];

function rare(): Measure[] {
  return [
    { path: ['duration'], aggregate: 'p95' },
    { path: ['page'], aggregate: 'distinct' },
  ];
}

const place = await postgresServer();
whenInterrupted(place.remove);
try {
  const connectionString = await place.url();
  const options = { connectionString, max: 1, onError: () => {} };
  const loading = connectPostgres(options);
  await migrate(loading);
  const { projectId } = await seed(loading, { sites: 0, keys: 0 });
  await store(loading, projectId);
  await loading.destroy();
  const db = connectPostgres({ ...options, timeLimits: REQUEST_LIMITS });
  for (const question of QUESTIONS) await ask(db, projectId, question);
  await db.destroy();
} finally {
  await place.remove();
}

async function store(db: Kysely<Database>, projectId: string): Promise<void> {
  for (let months = 13; months > 0; months -= 4) {
    const month = new Date(until);
    month.setUTCMonth(month.getUTCMonth() - months, 1);
    await createMetricPartitions(db, month);
  }
  for (let from = 0; from < rows; from += SLICE)
    await db.connection().execute(async (connection) => {
      // The check that there is the project, a million times, is not what is measured.
      await sql`SET session_replication_role = replica`.execute(connection);
      await sql`INSERT INTO metrics (project_id, received_at, payload)
        SELECT ${projectId}::uuid,
          ${new Date(until - 365 * DAY).toISOString()}::timestamptz + i * interval '365 days' / ${rows}::float8,
          json_build_object('visitors', floor(random() * 1000), 'page', '/page-' || i % 20,
            'duration', round((random() * 10)::numeric, 3), 'country', (ARRAY['de', 'fr', 'us', 'pt', 'nl'])[1 + i % 5],
            'at', json_build_object('shop', i % 7, 'ok', true))
        FROM generate_series(${from}::bigint, ${Math.min(from + SLICE, rows) - 1}::bigint) AS i`.execute(
        connection,
      );
    });
  // As the server does it by itself within a minute.
  await sql`VACUUM ANALYZE metrics`.execute(db);
  const { rows: sizes } = await sql<{ size: string }>`
    SELECT pg_size_pretty(sum(pg_total_relation_size(inhrelid))) AS size FROM pg_inherits`.execute(
    db,
  );
  process.stdout.write(`${rows.toLocaleString('en')} metrics in a year, ${sizes[0]?.size}\n`);
}

async function ask(
  db: Kysely<Database>,
  projectId: string,
  {
    what,
    days,
    measures,
    groupBy,
  }: { what: string; days: number; measures: Measure[]; groupBy?: string[] },
): Promise<void> {
  // The end of a time that no metric comes into any more.
  const end = until - (days < 300 ? 15 : 0) * DAY;
  const question = {
    ...{
      projectId,
      since: new Date(end - days * DAY).toISOString(),
      until: new Date(end).toISOString(),
    },
    ...{ timeZone: 'Europe/Berlin', bucket: bucketFor(days * DAY), filters: [], compare: false },
    ...{ measures, groupBy },
  };
  const times: number[] = [];
  let sampled = '';
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const start = performance.now();
    const answer = await queryMetrics(db, question);
    times.push(performance.now() - start);
    sampled = answer.sampled ? `one of ${answer.sampled.every} was read` : 'exact';
  }
  const [first = 0, ...rest] = times;
  const median = rest.toSorted((a, b) => a - b)[Math.floor(rest.length / 2)] ?? first;
  process.stdout.write(
    `${what.padEnd(36)} ${median.toFixed(0).padStart(6)} ms, at first ${first.toFixed(0)} ms, ${sampled}\n`,
  );
}
