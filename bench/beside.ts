import { DAY_MS } from '../contract/durations.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { connectPostgres } from '../db/connections/postgres.ts';
import type { Database } from '../db/schema.ts';
import { whenInterrupted } from './interrupted.ts';
import type { Load } from './loads.ts';
import { LARGEST, visitLargest } from './largest-pages.ts';
import { measure } from './measure.ts';
import { postgresServer } from './place.ts';
import { type Running, startService, stopAll } from './processes.ts';
import { seed } from './seed.ts';
import { type Steady, askSteadily } from './steady.ts';

const HELP = `Usage: npm run bench:beside -- [--seconds N] [--rounds N] [--only TEXT]

Asks one thing at a steady rate, alone and beside another, on a real PostgreSQL server: metrics that
are sent beside reads, and what callers with a key ask for beside visitors of pages. Then it visits
pages that are as large as they can be, each for the first time, and prints what that takes of the
processor.

  --seconds N  length of one measurement (default 4)
  --rounds N   measurements of each, alone and beside the other in turn (default 3)
  --only TEXT  what matches this regular expression alone: what is asked for, beside what
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const only = new RegExp(values.only);

const SITES = 1_000;
/** Metrics of the project that is read. */
const METRICS = 100_000;
/** The other is at work for so long before and after: to begin it takes a processor for a while. */
const BEGINS_S = 1.5;

const place = await postgresServer();
const end = async () => {
  await stopAll();
  await place.remove();
};
whenInterrupted(end);
try {
  const service = await startService(place.settings, []);
  const connectionString = await place.url();
  const db = connectPostgres({ connectionString, max: 1, onError: () => {} });
  const { apiKey, projectId, others } = await seed(db, { sites: SITES + LARGEST, keys: 0 });
  await storeMetrics(db, projectId);
  // The first page loads what pages are made with, and holds up everybody meanwhile.
  await fetch(`${service.base}/@jane-doe`);
  const rows = [];
  for (const [load, beside] of pairsOf(apiKey, projectId))
    if (only.test(`${load.title} beside ${beside.title}`))
      rows.push(await compare(service, load, beside));
  if (rows.length > 0) console.table(rows);
  if (only.test('largest pages'))
    console.table(await visitLargest(db, service, { others, after: SITES }));
  await db.destroy();
} finally {
  await end();
}

async function storeMetrics(db: Kysely<Database>, projectId: string): Promise<void> {
  await sql`INSERT INTO metrics (project_id, payload)
    SELECT ${projectId}::uuid, json_build_object('visitors', i % 1000, 'page', '/page-' || i % 20)
    FROM generate_series(1, ${METRICS}::int) AS i`.execute(db);
  // As the database does by itself within a minute.
  await sql`VACUUM ANALYZE metrics`.execute(db);
}

/** Pairs of a request at a steady rate and the load beside it. */
function pairsOf(apiKey: string, projectId: string): (readonly [Load & { rate: number }, Load])[] {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const steady = { connections: 32, rate: 200, headers };
  const names = { ...steady, title: 'names', path: '/account/get-display-name' };
  const payload = { visitors: 42, page: '/', tags: ['a', 'b'] };
  const metrics = {
    ...steady,
    title: 'metrics',
    path: '/stats/ingest-metrics',
    body: JSON.stringify({ projectId, payload }),
  };
  const lists = {
    title: 'lists of 100 metrics, 40 at a time',
    path: `/owner/metrics/list-metrics?projectId=${projectId}&limit=100`,
    connections: 40,
    headers,
  };
  const sites = {
    title: 'sites, 100 at a time',
    path: '/site/get-site-configuration',
    connections: 100,
    headers,
  };
  const [since, until] = [new Date(Date.now() - 30 * DAY_MS), new Date(Date.now() + DAY_MS)];
  const measures = [{ path: ['visitors'], aggregate: 'sum' }];
  const questions = {
    title: `questions about ${METRICS} metrics, 2 at a time`,
    path: '/owner/metrics/query-metrics',
    connections: 2,
    headers,
    body: JSON.stringify({ projectId, since, until, timeZone: 'UTC', measures }),
  };
  const pages = {
    title: 'pages, 200 a second',
    path: '/@jane-doe',
    connections: 32,
    rate: 200,
    headers: { 'accept-encoding': 'br' },
    vary: () => ({ path: `/@other-${Math.floor(Math.random() * SITES)}` }),
  };
  return [
    [metrics, sites],
    [metrics, { ...sites, title: 'sites, 200 a second', rate: 200 }],
    [metrics, lists],
    [metrics, { ...lists, title: 'lists of 100 metrics, 100 a second', rate: 100 }],
    [metrics, questions],
    [metrics, pages],
    [names, pages],
  ];
}

async function compare(service: Running, load: Load & { rate: number }, beside: Load) {
  const runs: { alone: Steady[]; together: Steady[]; other: { rate: number }[] } = {
    alone: [],
    together: [],
    other: [],
  };
  for (let round = 0; round <= rounds; round += 1) {
    const alone = await askSteadily(service, load, seconds);
    const [together, other] = await Promise.all([
      sleep(BEGINS_S * 1_000).then(() => askSteadily(service, load, seconds)),
      beside.rate === undefined
        ? measure(service, beside, seconds + 2 * BEGINS_S)
        : askSteadily(service, { ...beside, rate: beside.rate }, seconds + 2 * BEGINS_S),
    ]);
    process.stderr.write(
      `${load.title} ${alone.p99} ms, beside ${beside.title} ${together.p99} ms\n`,
    );
    // The first one warms up.
    if (round === 0) continue;
    runs.alone.push(alone);
    runs.together.push(together);
    runs.other.push(other);
  }
  const p50 = (measured: Steady[]) => middle(measured.map((one) => one.p50));
  const p99 = (measured: Steady[]) => middle(measured.map((one) => one.p99));
  return {
    [`at ${load.rate} a second`]: load.title,
    beside: beside.title,
    'p50 ms alone': p50(runs.alone),
    'p50 ms': p50(runs.together),
    'p99 ms alone': p99(runs.alone),
    'p99 ms': p99(runs.together),
    'others a second': Math.round(middle(runs.other.map(({ rate }) => rate))),
  };
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!;
}
