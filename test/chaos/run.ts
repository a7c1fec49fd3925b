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
import { emptyDisk, fillDisk, mountSmallDisk, unmountAll, smallDiskProblem } from './small-disk.ts';

const HELP = `Usage: npm run chaos -- [--minutes N] [--seed TEXT]

Two servers on a primary with a synchronous standby, under keyed writes, and one trouble after the
other. It ends with an error if anything acknowledged is lost or done twice, or if the server that
was never restarted keeps connections, transactions, file handles or memory.

  --minutes N  how long there is trouble (default 30)
  --seed TEXT  the same troubles again, in their order
`;
const WRITERS = 6;
/** Minimum number of successes of each writer and kind after each fault. */
const PROGRESS = 5;
/** Without this progress in this time, the service has not recovered. */
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
let drawn = 0;
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupted.abort(signal));

const noDisk = await smallDiskProblem();
if (noDisk) log(`No disk will be full, which takes root and the right to mount: ${noDisk}`);
const cluster = await startCluster({
  ...(!noDisk && { mount: mountSmallDisk }),
  // Small disks that still keep enough WAL for a standby to catch up.
  settings: { max_wal_size: '64MB', wal_keep_size: '256MB' },
});
const relay = await startRelay(cluster.url(cluster.primary()));
const address = new URL(cluster.url(cluster.primary()));
address.port = String(relay.port);
const settings = { ...WRITERS_SETTINGS, DATABASE_URL: address.href };
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
  const progress = (count: number) => Promise.race([writers.waitForMore(count), interruption]);
  const troubles: Record<string, () => Promise<void>> = {
    'a server is restarted': async () => {
      await stop(victim.child);
      victim = await startService(settings);
    },
    'a server is killed': async () => {
      victim.child.kill('SIGKILL');
      await wait(milliseconds(1_000));
      victim = await startService(settings);
    },
    'a server stands still': async () => {
      survivor.child.kill('SIGSTOP');
      await wait(milliseconds(12_000)).finally(() => survivor.child.kill('SIGCONT'));
    },
    'the primary is killed and started again': async () => {
      await cluster.primary().kill();
      await wait(milliseconds(3_000));
      await cluster.primary().resume();
    },
    'the primary is restarted': async () => {
      await cluster.primary().pause();
      await cluster.primary().resume();
    },
    'the primary is killed and its standby promoted': async () => {
      // A standby may lag behind what its primary shows after a restart.
      await cluster.inStep();
      await cluster.primary().kill();
      relay.leadTo(cluster.url(cluster.standby()));
      await wait(milliseconds(3_000));
      await cluster.promote();
      await progress(PROGRESS);
      await cluster.replace();
    },
    'the standby is killed and started again': async () => {
      await cluster.standby().kill();
      // Writers are blocked in this time.
      await wait(milliseconds(12_000));
      await cluster.standby().resume();
    },
    'the address leads to the standby': async () => {
      relay.leadTo(cluster.url(cluster.standby()));
      relay.cut();
      await wait(milliseconds(3_000));
      relay.leadTo(cluster.url(cluster.primary()));
    },
    'the database is silent': async () => {
      relay.stall(true);
      await wait(milliseconds(12_000));
      relay.stall(false);
    },
    'connections are cut': () => Promise.resolve(relay.cut()),
    ...(!noDisk && {
      'the disk of the primary is full': () => whileDiskIsFull(() => failure(writers)),
      'the log of the primary has no room': () => whileDiskIsFull(() => onPrimary(fillWal)),
    }),
  };

  await within(progress(20));
  const before = await resourceUsage(survivor);
  const end = Date.now() + Number(values.minutes) * 60_000;
  const names = Object.keys(troubles);
  for (let count = 1; Date.now() < end; count += 1) {
    const name = names[Math.floor(random() * names.length)]!;
    log(`${count}: ${name} (${KINDS.map((kind) => `${writers.done(kind)} ${kind}`).join(', ')})`);
    await within(troubles[name]!());
    await within(progress(PROGRESS));
  }
  await writers.stop();
  await stop(victim.child);

  const wrongs = await onPrimary((db) => writers.findErrors(db));
  // Longer than the timeout of requests that wait for a response.
  await wait(12_000);
  const after = await resourceUsage(survivor);
  log(`before: ${JSON.stringify(before)}, after: ${JSON.stringify(after)}`);
  if (after.files > before.files + MAX_GROWTH.files) wrongs.push('file handles are left');
  if (after.megabytes > before.megabytes + MAX_GROWTH.megabytes) wrongs.push('memory is left');
  wrongs.push(...(await onPrimary(listTransactions)));
  const connections = await onPrimary(listConnections);
  if (connections.length > IDLE_CONNECTIONS)
    wrongs.push(`${connections.length} connections are open`);
  await stopAll();
  await sleep(1_000);
  for (const query of await onPrimary(listConnections))
    wrongs.push(`a connection is left: ${query}`);
  for (const kind of KINDS) log(`${writers.done(kind)} ${kind} acknowledged`);
  log(`${writers.failures} attempts failed, ${writers.replays} answers were given again`);
  for (const wrong of wrongs) log(`WRONG: ${wrong}`);
  if (wrongs.length > 0) process.exitCode = 1;
  else log('Nothing acknowledged is lost, nothing is done twice, nothing is left behind.');
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
  drawn += 1;
  return parseInt(hash('sha256', `${values.seed} ${drawn}`).slice(0, 8), 16) / 2 ** 32;
}

function milliseconds(max: number): number {
  return Math.round(random() * max);
}

/** Fills the disk until `happens` resolves, and some seconds longer. */
async function whileDiskIsFull(happens: () => Promise<void>): Promise<void> {
  const primary = cluster.primary();
  await fillDisk(primary.folder);
  try {
    await happens();
    await wait(milliseconds(10_000));
  } finally {
    await emptyDisk(primary.folder);
  }
  // PostgreSQL stops when it cannot write its WAL, but not at once.
  while (!(await onPrimary(isResponding))) {
    await wait(200);
    await primary.resume();
  }
}

async function failure(writers: KeyedWriters): Promise<void> {
  const before = writers.failures;
  while (writers.failures === before) await wait(100);
}

/** Switches WAL segments until PostgreSQL fails. */
async function fillWal(db: Kysely<Database>): Promise<void> {
  const begin = sql`SELECT pg_logical_emit_message(true, 'chaos', ''), pg_switch_wal()`;
  while (await begin.execute(db).catch(() => undefined)) await wait(10);
}

async function isResponding(db: Kysely<Database>): Promise<boolean> {
  return sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  );
}

async function within<T>(work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const limit = sleep(RECOVERY_TIMEOUT_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error('The service has not come back.');
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    late.abort();
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
  return rows.map(({ query }) => `a transaction is left: ${query}`);
}

/** Last statement of each other connection to the database. */
async function listConnections(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    SELECT query FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(db);
  return rows.map(({ query }) => query);
}
