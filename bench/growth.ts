import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { migrate } from '#db/migrating/migrate.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { connectPostgres } from '#db/connections/postgres.ts';
import { deleteExpiredIdempotencyKeys } from '#db/queries/idempotency-keys.ts';
import { findMetrics, insertMetrics } from '#db/queries/metrics/metrics.ts';
import type { Database } from '#db/schema.ts';
import { startPostgres } from '#test/support/postgres-server.ts';
import { whenInterrupted } from './interrupted.ts';

const HELP = `Usage: npm run bench:growth -- [--rows N] [--answers N] [--projects N] [--rounds N]

Fills a real PostgreSQL server of its own with metrics of many projects over 24 months, and with the
stored answers of 25 hours, and measures beside an empty database of the same server what grows and
what does not. It prints first how much disk and time that takes, stops if there is too little of the
former, and removes everything in the end.

  --rows N      metrics (default 100000000)
  --answers N   stored answers (default 10000000; 100 a second are 8640000 a day)
  --projects N  (default 10000)
  --rounds N    of two seconds, with the empty and the full database in turn (default 5)
`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000000' },
    answers: { type: 'string', default: '10000000' },
    projects: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
const [rows, answers, projects, rounds] = [
  Number(values.rows),
  Number(values.answers),
  Number(values.projects),
  Number(values.rounds),
];

/** With its entry in the index, and what PostgreSQL writes ahead. */
const BYTES = { metric: 210, answer: 380 };
const WRITTEN_AHEAD = 4e9;
const SECONDS = { metric: 15e-6, answer: 60e-6 };

const MONTHS = 24;
const SLICE = 500_000;
const GROUP = 20;
const AT_ONCE = 2;
const ROUND_MS = 2_000;
const READS = 500;

if (values.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  const disk = rows * BYTES.metric + answers * BYTES.answer + WRITTEN_AHEAD;
  const minutes = (rows * SECONDS.metric + answers * SECONDS.answer + rounds * 16) / 60;
  say(`About ${Math.ceil(disk / 1e9)} GB in ${tmpdir()} and ${Math.ceil(minutes)} minutes.`);
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize < disk) {
    process.stderr.write('There is less room than that: set TMPDIR, or --rows and --answers.\n');
    process.exitCode = 1;
    return;
  }
  const server = await startPostgres({ durable: true });
  whenInterrupted(server.stop);
  try {
    const [empty, full] = [await open('bench_empty'), await open('bench_full')];
    if (rows > 0) await measureMetrics(empty, full);
    await measureAnswers(empty, full);
    await Promise.all([empty.db.destroy(), full.db.destroy()]);
  } finally {
    await server.stop();
  }

  /** A migrated database with an account and projects. */
  async function open(name: string): Promise<Filled> {
    await server.createDatabase(name);
    const options = { connectionString: server.url(name), max: AT_ONCE + 1 };
    const db = connectPostgres({ ...options, onError: () => {} });
    await migrate(db);
    const accountId = randomUUID();
    await sql`INSERT INTO accounts (id) VALUES (${accountId})`.execute(db);
    const { rows: made } = await sql<{ id: string }>`
      INSERT INTO projects (account_id, name)
      SELECT ${accountId}::uuid, number::text FROM generate_series(1, ${projects}::integer) AS number
      RETURNING id`.execute(db);
    await sql`ANALYZE`.execute(db);
    return { db, accountId, projects: made.map(({ id }) => id) };
  }
}

interface Filled {
  db: Kysely<Database>;
  accountId: string;
  projects: string[];
}

async function measureMetrics(empty: Filled, full: Filled): Promise<void> {
  const start = performance.now();
  await fillMetrics(full.db);
  const seconds = (performance.now() - start) / 1_000;
  const { rows: sizes } = await sql<{ heap: number; indexes: number }>`
    SELECT sum(pg_table_size(inhrelid))::float8 AS heap, sum(pg_indexes_size(inhrelid))::float8 AS indexes
    FROM pg_inherits WHERE inhparent = 'metrics'::regclass`.execute(full.db);
  const { heap, indexes } = sizes[0]!;
  say(
    `${count(rows)} metrics, stored in ${seconds.toFixed(0)} s, take ${((heap + indexes) / rows).toFixed(0)} bytes each: ${(heap / rows).toFixed(0)} and ${(indexes / rows).toFixed(0)} in the index.`,
  );
  compare('metrics a second', await inTurn(empty, full, (filled) => ingest(filled, false)));
  const reads: number[] = [];
  for (let read = 0; read < READS; read += 1) {
    const projectId = any(full.projects);
    const page = { projectId, newestFirst: true, limit: 100, bytes: 2_097_152 };
    reads.push(await timed(() => findMetrics(full.db, page)));
  }
  say(`The newest 100 of a project: ${spread(reads)}.`);
  const oldest = sql.id(monthName(MONTHS));
  const dropped = await timed(async () => {
    await sql`ALTER TABLE metrics DETACH PARTITION ${oldest} CONCURRENTLY`.execute(full.db);
    await sql`DROP TABLE ${oldest}`.execute(full.db);
  });
  say(`Dropping a month of ${count(rows / MONTHS)} metrics: ${dropped.toFixed(0)} ms.`);
}

async function fillMetrics(db: Kysely<Database>): Promise<void> {
  for (let ago = MONTHS; ago > 0; ago -= 4) await createMetricPartitions(db, month(ago));
  const perMonth = Math.round(rows / MONTHS);
  for (let ago = MONTHS; ago > 0; ago -= 1)
    for (let from = 0; from < perMonth; from += SLICE)
      await db.connection().execute(async (connection) => {
        // The check that there is the project is not what is measured.
        await sql`SET session_replication_role = replica`.execute(connection);
        await sql`
          WITH all_projects AS (SELECT array_agg(id) AS ids FROM projects)
          INSERT INTO metrics (project_id, received_at, payload)
          SELECT ids[1 + floor(random() * ${projects}::integer)::integer],
            ${month(ago).toISOString()}::timestamptz + i * interval '28 days' / ${perMonth}::float8,
            json_build_object('visitors', i % 1000, 'page', '/page-' || i % 20, 'country', 'pt')
          FROM all_projects, generate_series(${from}::integer, ${Math.min(from + SLICE, perMonth) - 1}::integer) AS i`.execute(
          connection,
        );
        await sql`RESET session_replication_role`.execute(connection);
      });
  await sql`VACUUM ANALYZE metrics`.execute(db);
}

async function measureAnswers(empty: Filled, full: Filled): Promise<void> {
  const start = performance.now();
  await fillAnswers(full);
  await sql`VACUUM ANALYZE idempotency_keys`.execute(full.db);
  const seconds = (performance.now() - start) / 1_000;
  const { rows: sizes } = await sql<{ size: number }>`
    SELECT pg_total_relation_size('idempotency_keys')::float8 AS size`.execute(full.db);
  say(
    `${count(answers)} stored answers, stored in ${seconds.toFixed(0)} s, take ${(sizes[0]!.size / answers).toFixed(0)} bytes each.`,
  );
  compare('keyed metrics a second', await inTurn(empty, full, (filled) => ingest(filled, true)));
  const groups: number[] = [];
  const [took] = await Promise.all([
    timed(() => deleteExpiredIdempotencyKeys(full.db)),
    ingest(full, true, groups),
  ]);
  say(
    `Deleting those of one hour: ${took.toFixed(0)} ms; groups of writes meanwhile: ${spread(groups)}.`,
  );
}

/** Spreads them over 25 hours, so that those of one hour have expired. */
async function fillAnswers({ db, accountId }: Filled): Promise<void> {
  for (let from = 0; from < answers; from += SLICE)
    await sql`
      INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, status, answer, created_at)
      SELECT ${accountId}::uuid, 'POST', '/stats/ingest-metrics', gen_random_uuid(), sha256(i::text::bytea),
        200, '{"message":"The metric was ingested."}',
        now() - (1 - i / ${answers}::float8) * interval '25 hours'
      FROM generate_series(${from}::integer, ${Math.min(from + SLICE, answers) - 1}::integer) AS i`.execute(
      db,
    );
}

/** Stores metrics for a while, in groups as the server makes them; returns how many a second. */
async function ingest(
  { db, accountId, projects: ids }: Filled,
  isKeyed: boolean,
  times: number[] = [],
): Promise<number> {
  const until = performance.now() + ROUND_MS;
  let stored = 0;
  const store = async () => {
    while (performance.now() < until) {
      const group = Array.from({ length: GROUP }, () => {
        const payload = { visitors: 1, page: '/page-1', country: 'pt' };
        const text = JSON.stringify({ accountId, projectId: any(ids), payload });
        const key = { accountId, method: 'POST', path: '/stats/ingest-metrics', key: randomUUID() };
        const answer = { message: 'The metric was ingested.' };
        const claim = { ...key, bodyHash: Buffer.alloc(32), status: 200, answer };
        return isKeyed ? { text, claim } : { text };
      });
      times.push(await timed(() => insertMetrics(db, group)));
      stored += GROUP;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, store));
  return (stored * 1_000) / ROUND_MS;
}

async function inTurn(
  empty: Filled,
  full: Filled,
  measure: (filled: Filled) => Promise<number>,
): Promise<{ empty: number; full: number }[]> {
  const pairs = [];
  // Pages that the filling left to be written belong to no round.
  await sql`CHECKPOINT`.execute(full.db);
  for (const filled of [empty, full]) await measure(filled);
  for (let round = 0; round < rounds; round += 1)
    pairs.push({ empty: await measure(empty), full: await measure(full) });
  return pairs;
}

function compare(what: string, pairs: { empty: number; full: number }[]): void {
  const [empty, full] = [
    median(pairs.map((pair) => pair.empty)),
    median(pairs.map((pair) => pair.full)),
  ];
  const ratio = median(pairs.map((pair) => pair.full / pair.empty));
  say(`${what}: ${count(empty)} empty, ${count(full)} full; ratio ${ratio.toFixed(2)}.`);
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

function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]!.toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

function any<T>(all: T[]): T {
  return all[Math.floor(Math.random() * all.length)]!;
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
