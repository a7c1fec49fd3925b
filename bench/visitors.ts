import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import { connectPostgres, REQUEST_TIME_LIMITS } from '#db/connections/postgres.ts';
import { migrate } from '#db/migrating/migrate.ts';
import {
  addPageVisits,
  deleteOldPageVisits,
  findFirstVisitDay,
  listPageVisits,
  listTopVisits,
  listVisitDays,
} from '#db/queries/sites/page-visits.ts';
import type { Database } from '#db/schema.ts';
import { onInterrupt } from './on-interrupt.ts';
import { startPostgresServer } from './bench-database.ts';

const HELP = `Usage: npm run bench:visitors -- [--rows N] [--rounds N]

Starts a PostgreSQL server, fills it with two years of daily sums of many pages, and measures the
queries about visitors, inserts and deletions. Ten million rows take 3 GB and five minutes. Everything
is removed at the end.

  --rows N    daily sums (default 10000000)
  --rounds N  how often each statement runs (default 20)
`;

/** Number of rows per kind and day: a typical page, and the maximum. */
const TYPICAL_PAGE = { view: 1, click: 1, device: 3, referrer: 6, link: 3 };
const BUSIEST_PAGE = {
  ...{ view: 1, click: 1, device: 3 },
  ...{ referrer: LIMITS.visitValues, link: LIMITS.visitValues, country: LIMITS.visitValues },
};
const DAYS = 730;
/** Days per INSERT. */
const BATCH_DAYS = 50;
const LAST_DAY = '2026-12-31';
const YEAR = { since: '2026-01-01', until: LAST_DAY };

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
const [rows, rounds] = [Number(values.rows), Number(values.rounds)];
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const database = await startPostgresServer();
onInterrupt(database.remove);
try {
  const options = { connectionString: await database.getUrl(), max: 1, onError: () => {} };
  const setupDb = connectPostgres(options);
  await migrate(setupDb);
  const [busiestAccount = '', ...typicalAccounts] = await insertVisits(setupDb);
  await setupDb.destroy();
  const db = connectPostgres({ ...options, timeLimits: REQUEST_TIME_LIMITS });
  const randomAccount = () => typicalAccounts[Math.floor(Math.random() * typicalAccounts.length)]!;
  for (const [page, pickAccount] of [
    ['a page', randomAccount],
    ['the busiest page', () => busiestAccount],
  ] as const) {
    await measure(`days of a year, ${page}`, () => listVisitDays(db, pickAccount(), YEAR));
    await measure(`lists of a year, ${page}`, () =>
      listTopVisits(db, pickAccount(), { ...YEAR, limit: 10 }),
    );
    await measure(`first day, ${page}`, () => findFirstVisitDay(db, pickAccount()));
    await measure(`export of everything, ${page}`, () =>
      countBatches(listPageVisits(db, pickAccount())),
    );
  }
  await measure('adding 500 sums', () =>
    addPageVisits(db, createVisits(typicalAccounts.slice(0, 500))),
  );
  await measure('adding 200 sums, the busiest page', () =>
    addPageVisits(
      db,
      createVisits(Array.from({ length: LIMITS.visitValues }, () => busiestAccount)),
    ),
  );
  let retainedDays = DAYS;
  await measure('deleting a day of all pages', () =>
    deleteOldPageVisits(db, { today: LAST_DAY, days: (retainedDays -= 1) }),
  );
  await db.destroy();
} finally {
  await database.remove();
}

/**
 * Inserts the daily counts in the order of their dates, as in production. Returns the account ids, the
 * busiest account first.
 */
async function insertVisits(db: Kysely<Database>): Promise<string[]> {
  const busiestRows = DAYS * sumValues(BUSIEST_PAGE);
  const pageCount = Math.max(
    1,
    Math.round((rows - busiestRows) / (DAYS * sumValues(TYPICAL_PAGE))),
  );
  const ids = Array.from({ length: 1 + pageCount }, () => randomUUID());
  await sql`INSERT INTO accounts (id) SELECT unnest(${ids}::uuid[])`.execute(db);
  for (let daysAgo = DAYS; daysAgo > 0; daysAgo -= BATCH_DAYS)
    await db.connection().execute(async (connection) => {
      // Skips foreign key checks, which are not measured.
      await sql`SET session_replication_role = replica`.execute(connection);
      await sql`
        INSERT INTO page_visits
        SELECT id, kind, ${LAST_DAY}::date - ago,
          CASE WHEN kind IN ('view', 'click') THEN '' ELSE 'https://' || kind || number || '.example/' END, number
        FROM generate_series(${daysAgo - 1}::integer, ${Math.max(0, daysAgo - BATCH_DAYS)}::integer, -1) AS ago,
          unnest(${ids}::uuid[]) AS id,
          LATERAL (SELECT key AS kind, value::integer AS most FROM json_each_text(
            CASE WHEN id = ${ids[0]}::uuid THEN ${JSON.stringify(BUSIEST_PAGE)}::json ELSE ${JSON.stringify(TYPICAL_PAGE)}::json END
          )) AS kinds,
          generate_series(1, most) AS number`.execute(connection);
    });
  // Autovacuum would do this within a minute.
  await sql`VACUUM ANALYZE page_visits`.execute(db);
  // Writes dirty pages now, so that they do not slow down a statement.
  await sql`CHECKPOINT`.execute(db);
  const { rows: sizes } = await sql<{ size: string; count: number }>`
    SELECT pg_size_pretty(pg_total_relation_size('page_visits')) AS size, count(*)::float8 AS count
    FROM page_visits`.execute(db);
  const count = sizes[0]!.count.toLocaleString('en');
  printLine(`${count} daily sums of ${ids.length} pages, ${sizes[0]!.size}`);
  return ids;
}

async function countBatches(batches: AsyncIterable<unknown>): Promise<number> {
  const allBatches = [];
  for await (const batch of batches) allBatches.push(batch);
  return allBatches.length;
}

function createVisits(accountIds: string[]) {
  return accountIds.map((accountId, index) => ({
    ...{ accountId, kind: 'referrer' as const, day: LAST_DAY, count: 1 },
    value: `https://referrer${index}.example/`,
  }));
}

function sumValues(rowsByKind: Record<string, number>): number {
  return Object.values(rowsByKind).reduce((sum, value) => sum + value, 0);
}

async function measure(title: string, run: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (fraction: number) =>
    `${sorted[Math.floor(fraction * (rounds - 1))]!.toFixed(1)} ms`;
  printLine(`${title.padEnd(40)} ${percentile(0.5).padStart(10)}, longest ${percentile(1)}`);
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
