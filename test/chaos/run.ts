import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { memory } from '../../bench/measure.ts';
import { type Running, startService, stop, stopAll } from '../../bench/processes.ts';
import { migrate } from '../../db/migrate.ts';
import { connectPostgres } from '../../db/postgres.ts';
import type { Database } from '../../db/schema.ts';
import { startCluster } from '../failover/cluster.ts';
import { KeyedWriters, KINDS, WRITERS_SETTINGS } from '../failover/keyed-writers.ts';
import { startRelay } from '../failover/relay.ts';

const HELP = `Usage: npm run chaos -- [--minutes N] [--seed TEXT]

Two servers on a primary with a synchronous standby, under keyed writes, and one trouble after the
other. It ends with an error if anything acknowledged is lost or done twice, or if the server that
was never restarted keeps connections, transactions, file handles or memory.

  --minutes N  how long there is trouble (default 30)
  --seed TEXT  the same troubles again, in their order
`;
const WRITERS = 6;
/** Of each writer and kind after each trouble. */
const PROGRESS = 5;
/** Without that much progress for so long, the service has not come back. */
const PATIENCE_MS = 120_000;
/** What the server that was never restarted may have more of in the end. */
const MORE = { files: 20, megabytes: 100 };

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
say(`seed ${values.seed}`);
let drawn = 0;

const cluster = await startCluster();
const relay = await startRelay(cluster.url(cluster.primary()));
const address = new URL(cluster.url(cluster.primary()));
address.port = String(relay.port);
const settings = { ...WRITERS_SETTINGS, DATABASE_URL: address.href };
try {
  await onPrimary(migrate);
  const survivor = await startService(settings, []);
  let victim: Running = await startService(settings, []);
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

  const troubles: Record<string, () => Promise<void>> = {
    'a server is restarted': async () => {
      await stop(victim.child);
      victim = await startService(settings, []);
    },
    'a server is killed': async () => {
      victim.child.kill('SIGKILL');
      await sleep(milliseconds(1_000));
      victim = await startService(settings, []);
    },
    'a server stands still': async () => {
      survivor.child.kill('SIGSTOP');
      await sleep(milliseconds(12_000));
      survivor.child.kill('SIGCONT');
    },
    'the primary is killed and started again': async () => {
      await cluster.primary().kill();
      await sleep(milliseconds(3_000));
      await cluster.primary().resume();
    },
    'the primary is restarted': async () => {
      await cluster.primary().pause();
      await cluster.primary().resume();
    },
    'the primary is killed and its standby promoted': async () => {
      // What a primary shows after a restart its standby may not have yet.
      await cluster.inStep();
      await cluster.primary().kill();
      relay.leadTo(cluster.url(cluster.standby()));
      await sleep(milliseconds(3_000));
      await cluster.promote();
      await writers.more(PROGRESS);
      await cluster.replace();
    },
    'the address leads to the standby': async () => {
      relay.leadTo(cluster.url(cluster.standby()));
      relay.cut();
      await sleep(milliseconds(3_000));
      relay.leadTo(cluster.url(cluster.primary()));
    },
    'the database is silent': async () => {
      relay.stall(true);
      await sleep(milliseconds(12_000));
      relay.stall(false);
    },
    'connections are cut': () => Promise.resolve(relay.cut()),
  };

  await within(writers.more(20));
  const before = await uses(survivor);
  const end = Date.now() + Number(values.minutes) * 60_000;
  const names = Object.keys(troubles);
  for (let count = 1; Date.now() < end; count += 1) {
    const name = names[Math.floor(random() * names.length)]!;
    say(`${count}: ${name} (${KINDS.map((kind) => `${writers.done(kind)} ${kind}`).join(', ')})`);
    await within(troubles[name]!());
    await within(writers.more(PROGRESS));
  }
  await writers.stop();

  const wrongs = await onPrimary((db) => writers.findWrongs(db));
  // What was waiting for an answer has given up.
  await sleep(12_000);
  const after = await uses(survivor);
  say(`before: ${JSON.stringify(before)}, after: ${JSON.stringify(after)}`);
  if (after.files > before.files + MORE.files) wrongs.push('file handles are left');
  if (after.megabytes > before.megabytes + MORE.megabytes) wrongs.push('memory is left');
  wrongs.push(...(await onPrimary(findTransactions)));
  await stopAll();
  wrongs.push(...(await onPrimary(findConnections)));
  for (const kind of KINDS) say(`${writers.done(kind)} ${kind} acknowledged`);
  say(`${writers.failures} attempts failed, ${writers.replays} answers were given again`);
  for (const wrong of wrongs) say(`WRONG: ${wrong}`);
  if (wrongs.length > 0) process.exitCode = 1;
  else say('Nothing acknowledged is lost, nothing is done twice, nothing is left behind.');
} finally {
  await stopAll();
  await relay.close();
  await cluster.stop();
}
// Of writers whom an error left behind.
process.exit();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The next of the numbers from 0 to 1 that belong to the seed. */
function random(): number {
  drawn += 1;
  return parseInt(hash('sha256', `${values.seed} ${drawn}`).slice(0, 8), 16) / 2 ** 32;
}

function milliseconds(most: number): number {
  return Math.round(random() * most);
}

async function within<T>(work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const limit = sleep(PATIENCE_MS, undefined, { signal: late.signal }).then(() => {
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
  const db = connectPostgres({ connectionString, max: 4, maxWaiting: 1_000, onError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

async function uses({ child }: Running): Promise<{ files: number; megabytes: number }> {
  const files = await readdir(`/proc/${child.pid}/fd`);
  return { files: files.length, megabytes: await memory(child) };
}

async function findTransactions(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    SELECT query FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      AND xact_start < now() - interval '5 seconds'`.execute(db);
  return rows.map(({ query }) => `a transaction is left: ${query}`);
}

async function findConnections(db: Kysely<Database>): Promise<string[]> {
  await sleep(1_000);
  const { rows } = await sql<{ query: string }>`
    SELECT query FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(db);
  return rows.map(({ query }) => `a connection is left: ${query}`);
}
