import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { inTransaction } from '#db/connections/transaction.ts';
import { migrate } from '#db/migrating/migrate.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { connectPostgres } from '#db/connections/postgres.ts';
import { deleteExpiredIdempotencyKeys } from '#db/queries/idempotency-keys.ts';
import { findMetrics } from '#db/queries/metrics/metrics.ts';
import { insertMetrics } from '#db/queries/metrics/metrics.ts';
import type { Database } from '#db/connections/handles.ts';
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
  const requiredBytes =
    rows * BYTES_PER_ROW.metric + responses * BYTES_PER_ROW.response + WAL_BYTES;
  const minutes =
    (rows * SECONDS_PER_ROW.metric + responses * SECONDS_PER_ROW.response + rounds * 16) / 60;
  printLine(
    `About ${Math.ceil(requiredBytes / 1e9)} GB in ${tmpdir()} and ${Math.ceil(minutes)} minutes.`,
  );
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize < requiredBytes) {
    process.stderr.write(
      'There is not enough disk space. Set TMPDIR, or lower --rows and --responses.\n',
    );
    process.exitCode = 1;
    return;
  }
  const server = await startPostgres({ durable: true });
  onInterrupt(server.stop);
  try {
    const [empty, full] = [await openDatabase('bench_empty'), await openDatabase('bench_full')];
    if (rows > 0) await measureMetrics(empty, full);
    await measureResponses(empty, full);
    await Promise.all([empty.db.destroy(), full.db.destroy()]);
  } finally {
    await server.stop();
  }

  /** Creates a migrated database with an account and projects. */
  async function openDatabase(name: string): Promise<BenchDatabase> {
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
  db: Database;
  accountId: string;
  projects: string[];
}

async function measureMetrics(empty: BenchDatabase, full: BenchDatabase): Promise<void> {
  const startedAt = performance.now();
  await fillMetrics(full.db);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { rows: sizes } = await sql<{ heap: number; indexes: number }>`
    SELECT sum(pg_table_size(inhrelid))::float8 AS heap, sum(pg_indexes_size(inhrelid))::float8 AS indexes
    FROM pg_inherits WHERE inhparent = 'metrics'::regclass`.execute(full.db);
  const { heap, indexes } = sizes[0]!;
  printLine(
    `${formatCount(rows)} metrics, stored in ${seconds.toFixed(0)} s, use ${((heap + indexes) / rows).toFixed(0)} bytes each: ${(heap / rows).toFixed(0)} and ${(indexes / rows).toFixed(0)} in the index.`,
  );
  printComparison(
    'metrics a second',
    await measureAlternately(empty, full, (database) => ingest(database, false)),
  );
  const readTimes: number[] = [];
  for (let index = 0; index < READ_COUNT; index += 1) {
    const projectId = pickRandom(full.projects);
    const page = { projectId, newestFirst: true, limit: 100, maxBytes: 2_097_152 };
    readTimes.push(await measureMs(() => findMetrics(full.db, page)));
  }
  printLine(`The newest 100 of a project: ${formatTimes(readTimes)}.`);
  const oldest = sql.id(partitionName(MONTHS));
  const dropTime = await measureMs(async () => {
    await sql`ALTER TABLE metrics DETACH PARTITION ${oldest} CONCURRENTLY`.execute(full.db);
    await sql`DROP TABLE ${oldest}`.execute(full.db);
  });
  printLine(
    `Dropping a month of ${formatCount(rows / MONTHS)} metrics: ${dropTime.toFixed(0)} ms.`,
  );
}

async function fillMetrics(db: Database): Promise<void> {
  for (let monthsAgo = MONTHS; monthsAgo > 0; monthsAgo -= 4)
    await inTransaction(db, (trx) => createMetricPartitions(trx, startOfMonth(monthsAgo)));
  const rowsPerMonth = Math.round(rows / MONTHS);
  for (let monthsAgo = MONTHS; monthsAgo > 0; monthsAgo -= 1)
    for (let start = 0; start < rowsPerMonth; start += BATCH_SIZE)
      await db.connection().execute(async (connection) => {
        // Skips foreign key checks, which are not measured.
        await sql`SET session_replication_role = replica`.execute(connection);
        await sql`
          WITH all_projects AS (SELECT array_agg(id) AS ids FROM projects)
          INSERT INTO metrics (project_id, received_at, payload)
          SELECT ids[1 + floor(random() * ${projects}::integer)::integer],
            ${startOfMonth(monthsAgo).toISOString()}::timestamptz + i * interval '28 days' / ${rowsPerMonth}::float8,
            json_build_object('visitors', i % 1000, 'page', '/page-' || i % 20, 'country', 'pt')
          FROM all_projects, generate_series(${start}::integer, ${Math.min(start + BATCH_SIZE, rowsPerMonth) - 1}::integer) AS i`.execute(
          connection,
        );
        await sql`RESET session_replication_role`.execute(connection);
      });
  await sql`VACUUM ANALYZE metrics`.execute(db);
}

async function measureResponses(empty: BenchDatabase, full: BenchDatabase): Promise<void> {
  const startedAt = performance.now();
  await fillResponses(full);
  await sql`VACUUM ANALYZE idempotency_keys`.execute(full.db);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { rows: sizes } = await sql<{ size: number }>`
    SELECT pg_total_relation_size('idempotency_keys')::float8 AS size`.execute(full.db);
  printLine(
    `${formatCount(responses)} stored responses, stored in ${seconds.toFixed(0)} s, take ${(sizes[0]!.size / responses).toFixed(0)} bytes each.`,
  );
  printComparison(
    'keyed metrics a second',
    await measureAlternately(empty, full, (database) => ingest(database, true)),
  );
  const groupTimes: number[] = [];
  const [deletionTime] = await Promise.all([
    measureMs(() => deleteExpiredIdempotencyKeys(full.db)),
    ingest(full, true, groupTimes),
  ]);
  printLine(
    `Deleting those of one hour: ${deletionTime.toFixed(0)} ms; concurrent groups of writes: ${formatTimes(groupTimes)}.`,
  );
}

/** Spreads the responses over 25 hours, so that one hour of them has expired. */
async function fillResponses({ db, accountId }: BenchDatabase): Promise<void> {
  for (let start = 0; start < responses; start += BATCH_SIZE)
    await sql`
      INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, state, status, created_at)
      SELECT ${accountId}::uuid, 'POST', '/stats/ingest-metrics', gen_random_uuid(), sha256(i::text::bytea),
        'done', 200,
        now() - (1 - i / ${responses}::float8) * interval '25 hours'
      FROM generate_series(${start}::integer, ${Math.min(start + BATCH_SIZE, responses) - 1}::integer) AS i`.execute(
      db,
    );
}

/** Stores metrics in groups, like the server, for one round. Returns metrics per second. */
async function ingest(
  { db, accountId, projects: ids }: BenchDatabase,
  isKeyed: boolean,
  groupTimes: number[] = [],
): Promise<number> {
  const deadline = performance.now() + ROUND_MS;
  let storedCount = 0;
  const storeUntilDeadline = async () => {
    while (performance.now() < deadline) {
      const group = Array.from({ length: GROUP_SIZE }, () => {
        const payload = { visitors: 1, page: '/page-1', country: 'pt' };
        const text = JSON.stringify({ accountId, projectId: pickRandom(ids), payload });
        if (!isKeyed) return { text };
        const key = { accountId, method: 'POST', path: '/stats/ingest-metrics', key: randomUUID() };
        return { text, idempotencyClaim: { ...key, bodyHash: Buffer.alloc(32) } };
      });
      groupTimes.push(await measureMs(() => insertMetrics(db, group)));
      storedCount += GROUP_SIZE;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, storeUntilDeadline));
  return (storedCount * 1_000) / ROUND_MS;
}

async function measureAlternately(
  empty: BenchDatabase,
  full: BenchDatabase,
  measure: (database: BenchDatabase) => Promise<number>,
): Promise<{ empty: number; full: number }[]> {
  const results = [];
  // Writes dirty pages now, so that they do not slow down a round.
  await sql`CHECKPOINT`.execute(full.db);
  for (const database of [empty, full]) await measure(database);
  for (let round = 0; round < rounds; round += 1)
    results.push({ empty: await measure(empty), full: await measure(full) });
  return results;
}

function printComparison(title: string, results: { empty: number; full: number }[]): void {
  const [empty, full] = [
    median(results.map((result) => result.empty)),
    median(results.map((result) => result.full)),
  ];
  const ratio = median(results.map((result) => result.full / result.empty));
  printLine(
    `${title}: ${formatCount(empty)} empty, ${formatCount(full)} full; ratio ${ratio.toFixed(2)}.`,
  );
}

function startOfMonth(monthsAgo: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1));
}

function partitionName(monthsAgo: number): string {
  return `metrics_${startOfMonth(monthsAgo).toISOString().slice(0, 7).replace('-', '_')}`;
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function formatTimes(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (fraction: number) =>
    sorted[Math.floor((sorted.length - 1) * fraction)]!.toFixed(1);
  return `median ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, longest ${percentile(1)} ms`;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

function pickRandom<T>(items: T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
