import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { migrate } from '#db/migrating/migrate.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { connectPostgres } from '#db/connections/postgres.ts';
import { deleteExpiredIdempotencyKeys } from '#db/queries/idempotency-keys.ts';
import { findMetrics } from '#db/queries/metrics/metrics.ts';
import { type MetricWrite, storeMetrics } from '#server/features/metrics/metric-writer.ts';
import type { Database } from '#db/schema.ts';
import { startPostgres } from '#test/support/postgres-server.ts';
import { onInterrupt } from './on-interrupt.ts';

const HELP = `Usage: npm run bench:growth -- [--rows N] [--responses N] [--projects N] [--rounds N]

Starts a PostgreSQL server and fills it with metrics of many projects over 24 months and with stored
responses of 25 hours. Compares it with an empty database on the same server. Prints the required disk
space and time first, stops if there is too little space, and removes everything at the end.

  --rows N      metrics (default 100000000)
  --responses N   stored responses (default 10000000; 100 per second are 8640000 per day)
  --projects N  (default 10000)
  --rounds N    rounds of two seconds on each database, alternately (default 5)
`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000000' },
    responses: { type: 'string', default: '10000000' },
    projects: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
const [rows, responses, projects, rounds] = [
  Number(values.rows),
  Number(values.responses),
  Number(values.projects),
  Number(values.rounds),
];

/** Includes index entries. */
const BYTES_PER_ROW = { metric: 210, response: 380 };
const WAL_BYTES = 4e9;
const SECONDS_PER_ROW = { metric: 15e-6, response: 60e-6 };

const MONTHS = 24;
const BATCH_SIZE = 500_000;
const GROUP_SIZE = 20;
const CONCURRENCY = 2;
const ROUND_MS = 2_000;
const READ_COUNT = 500;

if (values.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  const disk = rows * BYTES_PER_ROW.metric + responses * BYTES_PER_ROW.response + WAL_BYTES;
  const minutes =
    (rows * SECONDS_PER_ROW.metric + responses * SECONDS_PER_ROW.response + rounds * 16) / 60;
  print(`About ${Math.ceil(disk / 1e9)} GB in ${tmpdir()} and ${Math.ceil(minutes)} minutes.`);
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize < disk) {
    process.stderr.write(
      'There is not enough disk space. Set TMPDIR, or lower --rows and --responses.\n',
    );
    process.exitCode = 1;
    return;
  }
  const server = await startPostgres({ durable: true });
  onInterrupt(server.stop);
  try {
    const [empty, full] = [await open('bench_empty'), await open('bench_full')];
    if (rows > 0) await measureMetrics(empty, full);
    await measureResponses(empty, full);
    await Promise.all([empty.db.destroy(), full.db.destroy()]);
  } finally {
    await server.stop();
  }

  /** Creates a migrated database with an account and projects. */
  async function open(name: string): Promise<BenchDatabase> {
    await server.createDatabase(name);
    const options = { connectionString: server.url(name), max: CONCURRENCY + 1 };
    const db = connectPostgres({ ...options, onError: () => {} });
    await migrate(db);
    const accountId = randomUUID();
    await sql`INSERT INTO accounts (id) VALUES (${accountId})`.execute(db);
    const { rows: projectRows } = await sql<{ id: string }>`
      INSERT INTO projects (account_id, name)
      SELECT ${accountId}::uuid, number::text FROM generate_series(1, ${projects}::integer) AS number
      RETURNING id`.execute(db);
    await sql`ANALYZE`.execute(db);
    return { db, accountId, projects: projectRows.map(({ id }) => id) };
  }
}

interface BenchDatabase {
  db: Kysely<Database>;
  accountId: string;
  projects: string[];
}

async function measureMetrics(empty: BenchDatabase, full: BenchDatabase): Promise<void> {
  const start = performance.now();
  await fillMetrics(full.db);
  const seconds = (performance.now() - start) / 1_000;
  const { rows: sizes } = await sql<{ heap: number; indexes: number }>`
    SELECT sum(pg_table_size(inhrelid))::float8 AS heap, sum(pg_indexes_size(inhrelid))::float8 AS indexes
    FROM pg_inherits WHERE inhparent = 'metrics'::regclass`.execute(full.db);
  const { heap, indexes } = sizes[0]!;
  print(
    `${count(rows)} metrics, stored in ${seconds.toFixed(0)} s, use ${((heap + indexes) / rows).toFixed(0)} bytes each: ${(heap / rows).toFixed(0)} and ${(indexes / rows).toFixed(0)} in the index.`,
  );
  compare(
    'metrics a second',
    await measureAlternately(empty, full, (filled) => ingest(filled, false)),
  );
  const reads: number[] = [];
  for (let read = 0; read < READ_COUNT; read += 1) {
    const projectId = pickRandom(full.projects);
    const page = { projectId, newestFirst: true, limit: 100, bytes: 2_097_152 };
    reads.push(await timed(() => findMetrics(full.db, page)));
  }
  print(`The newest 100 of a project: ${formatTimes(reads)}.`);
  const oldest = sql.id(monthName(MONTHS));
  const dropped = await timed(async () => {
    await sql`ALTER TABLE metrics DETACH PARTITION ${oldest} CONCURRENTLY`.execute(full.db);
    await sql`DROP TABLE ${oldest}`.execute(full.db);
  });
  print(`Dropping a month of ${count(rows / MONTHS)} metrics: ${dropped.toFixed(0)} ms.`);
}

async function fillMetrics(db: Kysely<Database>): Promise<void> {
  for (let ago = MONTHS; ago > 0; ago -= 4) await createMetricPartitions(db, month(ago));
  const perMonth = Math.round(rows / MONTHS);
  for (let ago = MONTHS; ago > 0; ago -= 1)
    for (let from = 0; from < perMonth; from += BATCH_SIZE)
      await db.connection().execute(async (connection) => {
        // Skips foreign key checks, which are not measured.
        await sql`SET session_replication_role = replica`.execute(connection);
        await sql`
          WITH all_projects AS (SELECT array_agg(id) AS ids FROM projects)
          INSERT INTO metrics (project_id, received_at, payload)
          SELECT ids[1 + floor(random() * ${projects}::integer)::integer],
            ${month(ago).toISOString()}::timestamptz + i * interval '28 days' / ${perMonth}::float8,
            json_build_object('visitors', i % 1000, 'page', '/page-' || i % 20, 'country', 'pt')
          FROM all_projects, generate_series(${from}::integer, ${Math.min(from + BATCH_SIZE, perMonth) - 1}::integer) AS i`.execute(
          connection,
        );
        await sql`RESET session_replication_role`.execute(connection);
      });
  await sql`VACUUM ANALYZE metrics`.execute(db);
}

async function measureResponses(empty: BenchDatabase, full: BenchDatabase): Promise<void> {
  const start = performance.now();
  await fillResponses(full);
  await sql`VACUUM ANALYZE idempotency_keys`.execute(full.db);
  const seconds = (performance.now() - start) / 1_000;
  const { rows: sizes } = await sql<{ size: number }>`
    SELECT pg_total_relation_size('idempotency_keys')::float8 AS size`.execute(full.db);
  print(
    `${count(responses)} stored responses, stored in ${seconds.toFixed(0)} s, take ${(sizes[0]!.size / responses).toFixed(0)} bytes each.`,
  );
  compare(
    'keyed metrics a second',
    await measureAlternately(empty, full, (filled) => ingest(filled, true)),
  );
  const groups: number[] = [];
  const [took] = await Promise.all([
    timed(() => deleteExpiredIdempotencyKeys(full.db)),
    ingest(full, true, groups),
  ]);
  print(
    `Deleting those of one hour: ${took.toFixed(0)} ms; concurrent groups of writes: ${formatTimes(groups)}.`,
  );
}

/** Spreads the responses over 25 hours, so that one hour of them has expired. */
async function fillResponses({ db, accountId }: BenchDatabase): Promise<void> {
  for (let from = 0; from < responses; from += BATCH_SIZE)
    await sql`
      INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, status, response, created_at)
      SELECT ${accountId}::uuid, 'POST', '/stats/ingest-metrics', gen_random_uuid(), sha256(i::text::bytea),
        200, '{"message":"The metric was ingested."}',
        now() - (1 - i / ${responses}::float8) * interval '25 hours'
      FROM generate_series(${from}::integer, ${Math.min(from + BATCH_SIZE, responses) - 1}::integer) AS i`.execute(
      db,
    );
}

/** Stores metrics in groups, like the server, for one round. Returns metrics per second. */
async function ingest(
  { db, accountId, projects: ids }: BenchDatabase,
  isKeyed: boolean,
  times: number[] = [],
): Promise<number> {
  const until = performance.now() + ROUND_MS;
  let stored = 0;
  const store = async () => {
    while (performance.now() < until) {
      const group = Array.from({ length: GROUP_SIZE }, (): MetricWrite => {
        const payload = { visitors: 1, page: '/page-1', country: 'pt' };
        const text = JSON.stringify({ accountId, projectId: pickRandom(ids), payload });
        const write = { accountId, text, characters: text.length };
        if (!isKeyed) return write;
        const key = { accountId, method: 'POST', path: '/stats/ingest-metrics', key: randomUUID() };
        const response = { message: 'The metric was ingested.' };
        const bodyHash = Buffer.alloc(32);
        return { ...write, idempotencyClaim: { ...key, bodyHash, status: 200, response } };
      });
      times.push(await timed(() => storeMetrics(db, group)));
      stored += GROUP_SIZE;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, store));
  return (stored * 1_000) / ROUND_MS;
}

async function measureAlternately(
  empty: BenchDatabase,
  full: BenchDatabase,
  measure: (filled: BenchDatabase) => Promise<number>,
): Promise<{ empty: number; full: number }[]> {
  const pairs = [];
  // Writes dirty pages now, so that they do not slow down a round.
  await sql`CHECKPOINT`.execute(full.db);
  for (const filled of [empty, full]) await measure(filled);
  for (let round = 0; round < rounds; round += 1)
    pairs.push({ empty: await measure(empty), full: await measure(full) });
  return pairs;
}

function compare(title: string, pairs: { empty: number; full: number }[]): void {
  const [empty, full] = [
    median(pairs.map((pair) => pair.empty)),
    median(pairs.map((pair) => pair.full)),
  ];
  const ratio = median(pairs.map((pair) => pair.full / pair.empty));
  print(`${title}: ${count(empty)} empty, ${count(full)} full; ratio ${ratio.toFixed(2)}.`);
}

function month(ago: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
}

function monthName(ago: number): string {
  return `metrics_${month(ago).toISOString().slice(0, 7).replace('-', '_')}`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function formatTimes(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]!.toFixed(1);
  return `median ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, longest ${percentile(1)} ms`;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

function pickRandom<T>(all: T[]): T {
  return all[Math.floor(Math.random() * all.length)]!;
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
