import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { memory } from '../../bench/measure.ts';
import { type RunningServer, startService, stop, stopAll } from '../../bench/processes.ts';
import { migrate } from '#db/migrating/migrate.ts';
import { connectPostgres } from '#db/connections/postgres.ts';
import type { Database } from '#db/schema.ts';
import { startCluster } from '../failover/cluster.ts';
import { KeyedWriters, KINDS, WRITERS_SETTINGS } from '../failover/keyed-writers.ts';
import { startRelay } from '../failover/relay.ts';
import {
  emptyDisk,
  fillDisk,
  mountSmallDisk,
  unmountAll,
  findSmallDiskProblem,
} from './small-disk.ts';

const HELP = `Usage: npm run chaos -- [--minutes N] [--seed TEXT]

Injects random faults into two servers on a primary with a synchronous standby, while clients write
with idempotency keys. Fails if an acknowledged write is lost or executed twice, or if the server that
was never restarted leaks connections, transactions, file handles or memory.

  --minutes N  how long to inject faults (default 30)
  --seed TEXT  repeat the faults of an earlier run
`;
const WRITERS = 6;
/** Minimum number of successes of each writer and kind after each fault. */
const MIN_SUCCESSES = 5;
/** Maximum time for the writers to make progress after a fault. */
const RECOVERY_TIMEOUT_MS = 120_000;
/** File descriptors and memory that the server may gain over the run. */
const MAX_GROWTH = { files: 20, megabytes: 100 };
/** Connections of an idle server: two for reads and one for LISTEN. */
const IDLE_CONNECTIONS = 3;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now()) },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
log(`seed ${values.seed}`);
let randomCount = 0;
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupted.abort(signal));

const diskProblem = await findSmallDiskProblem();
if (diskProblem) log(`Skipping full disks, because no disk can be mounted: ${diskProblem}`);
const cluster = await startCluster({
  ...(!diskProblem && { mount: mountSmallDisk }),
  // Fits on a small disk, but keeps enough WAL for a standby to catch up.
  settings: { max_wal_size: '64MB', wal_keep_size: '256MB' },
});
const relay = await startRelay(cluster.url(cluster.primary()));
const relayUrl = new URL(cluster.url(cluster.primary()));
relayUrl.port = String(relay.port);
const settings = { ...WRITERS_SETTINGS, DATABASE_URL: relayUrl.href };
try {
  await onPrimary(migrate);
  const survivor = await startService(settings);
  let victim: RunningServer = await startService(settings);
  let attempts = 0;
  const writers = await onPrimary((db) =>
    KeyedWriters.start(
      db,
      () => {
        attempts += 1;
        return (attempts % 2 === 0 ? survivor : victim).base;
      },
      WRITERS,
    ),
  );

  const interruption = new Promise<never>((_, reject) =>
    interrupted.signal.addEventListener('abort', () => reject(interrupted.signal.reason)),
  );
  interruption.catch(() => {});
  const waitForProgress = (count: number) =>
    Promise.race([writers.waitForMore(count), interruption]);
  const faults: Record<string, () => Promise<void>> = {
    'a server is restarted': async () => {
      await stop(victim.child);
      victim = await startService(settings);
    },
    'a server is killed': async () => {
      victim.child.kill('SIGKILL');
      await wait(randomDelay(1_000));
      victim = await startService(settings);
    },
    'a server is paused': async () => {
      survivor.child.kill('SIGSTOP');
      await wait(randomDelay(12_000)).finally(() => survivor.child.kill('SIGCONT'));
    },
    'the primary is killed and started again': async () => {
      await cluster.primary().kill();
      await wait(randomDelay(3_000));
      await cluster.primary().resume();
    },
    'the primary is restarted': async () => {
      await cluster.primary().pause();
      await cluster.primary().resume();
    },
    'the primary is killed and its standby promoted': async () => {
      // After a restart of the primary, the standby may lag behind.
      await cluster.waitForStandby();
      await cluster.primary().kill();
      relay.setTarget(cluster.url(cluster.standby()));
      await wait(randomDelay(3_000));
      await cluster.promote();
      await waitForProgress(MIN_SUCCESSES);
      await cluster.addNewStandby();
    },
    'the standby is killed and started again': async () => {
      await cluster.standby().kill();
      // Writes are blocked without the synchronous standby.
      await wait(randomDelay(12_000));
      await cluster.standby().resume();
    },
    'the address points to the standby': async () => {
      relay.setTarget(cluster.url(cluster.standby()));
      relay.closeConnections();
      await wait(randomDelay(3_000));
      relay.setTarget(cluster.url(cluster.primary()));
    },
    'the database does not respond': async () => {
      relay.stall(true);
      await wait(randomDelay(12_000));
      relay.stall(false);
    },
    'connections are cut': () => Promise.resolve(relay.closeConnections()),
    ...(!diskProblem && {
      'the disk of the primary is full': () => whileDiskIsFull(() => waitForFailure(writers)),
      'the primary cannot write its WAL': () => whileDiskIsFull(() => onPrimary(fillWal)),
    }),
  };

  await withTimeout(waitForProgress(20));
  const before = await resourceUsage(survivor);
  const end = Date.now() + Number(values.minutes) * 60_000;
  const names = Object.keys(faults);
  for (let count = 1; Date.now() < end; count += 1) {
    const name = names[Math.floor(random() * names.length)]!;
    log(`${count}: ${name} (${KINDS.map((kind) => `${writers.done(kind)} ${kind}`).join(', ')})`);
    await withTimeout(faults[name]!());
    await withTimeout(waitForProgress(MIN_SUCCESSES));
  }
  await writers.stop();
  await stop(victim.child);

  const errors = await onPrimary((db) => writers.findErrors(db));
  // Longer than the timeout of requests that wait for a response.
  await wait(12_000);
  const after = await resourceUsage(survivor);
  log(`before: ${JSON.stringify(before)}, after: ${JSON.stringify(after)}`);
  if (after.files > before.files + MAX_GROWTH.files) errors.push('file handles were leaked');
  if (after.megabytes > before.megabytes + MAX_GROWTH.megabytes) errors.push('memory was leaked');
  errors.push(...(await onPrimary(listTransactions)));
  const connections = await onPrimary(listConnections);
  if (connections.length > IDLE_CONNECTIONS)
    errors.push(`${connections.length} connections are open`);
  await stopAll();
  await sleep(1_000);
  for (const query of await onPrimary(listConnections))
    errors.push(`a connection is still open: ${query}`);
  for (const kind of KINDS) log(`${writers.done(kind)} ${kind} acknowledged`);
  log(`${writers.failures} attempts failed, ${writers.replays} responses were replayed`);
  for (const error of errors) log(`ERROR: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
  else log('No acknowledged write was lost or executed twice, and nothing was leaked.');
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  log(`Ended by ${interrupted.signal.reason}.`);
  process.exitCode = 1;
} finally {
  await stopAll();
  await relay.close();
  await cluster.stop().catch((error: unknown) => log(String(error)));
  await unmountAll();
}
// Writers that survive an error would keep the process running.
process.exit();

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

function wait(ms: number): Promise<void> {
  return sleep(ms, undefined, { signal: interrupted.signal });
}

/** Next pseudo-random number between 0 and 1 for the seed. */
function random(): number {
  randomCount += 1;
  return parseInt(hash('sha256', `${values.seed} ${randomCount}`).slice(0, 8), 16) / 2 ** 32;
}

function randomDelay(max: number): number {
  return Math.round(random() * max);
}

/** Fills the disk until `work` resolves, and for up to 10 seconds longer. */
async function whileDiskIsFull(work: () => Promise<void>): Promise<void> {
  const primary = cluster.primary();
  await fillDisk(primary.folder);
  try {
    await work();
    await wait(randomDelay(10_000));
  } finally {
    await emptyDisk(primary.folder);
  }
  // PostgreSQL stops when it cannot write its WAL, but not at once.
  while (!(await onPrimary(isResponding))) {
    await wait(200);
    await primary.resume();
  }
}

async function waitForFailure(writers: KeyedWriters): Promise<void> {
  const before = writers.failures;
  while (writers.failures === before) await wait(100);
}

/** Switches WAL segments until PostgreSQL fails. */
async function fillWal(db: Kysely<Database>): Promise<void> {
  const statement = sql`SELECT pg_logical_emit_message(true, 'chaos', ''), pg_switch_wal()`;
  while (await statement.execute(db).catch(() => undefined)) await wait(10);
}

async function isResponding(db: Kysely<Database>): Promise<boolean> {
  return sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  );
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const abortTimer = new AbortController();
  const limit = sleep(RECOVERY_TIMEOUT_MS, undefined, { signal: abortTimer.signal }).then(() => {
    throw new Error('The service has not recovered in time.');
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    abortTimer.abort();
    limit.catch(() => {});
  }
}

async function onPrimary<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const connectionString = cluster.url(cluster.primary());
  const db = connectPostgres({ connectionString, max: 4, onError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

async function resourceUsage({
  child,
}: RunningServer): Promise<{ files: number; megabytes: number }> {
  const files = await readdir(`/proc/${child.pid}/fd`);
  return { files: files.length, megabytes: await memory(child) };
}

async function listTransactions(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    SELECT query FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      AND xact_start < now() - interval '5 seconds'`.execute(db);
  return rows.map(({ query }) => `a transaction is still open: ${query}`);
}

/** Last statement of each other connection to the database. */
async function listConnections(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    SELECT query FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(db);
  return rows.map(({ query }) => query);
}
