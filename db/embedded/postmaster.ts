import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, DATABASE_NAME, prepareAccess } from './access.ts';
import { type Binaries, removeCopies } from './binaries.ts';
import { type DataFolder, markDatabase, unmarkDatabase } from './data-folder.ts';
import { PrivateDatabaseError } from './private-database-error.ts';
import { LOG_FILE, logSize, readLog } from './server-log.ts';

const SUPERUSER = 'postgres';

/** No process has it: far beyond what any system hands out. */
const NOBODYS_PID = 2_147_483_646;
/** How long processes of a postmaster that was killed may take to end by themselves. */
const LEFTOVERS_MS = 15_000;
const LEFTOVERS_POLL_MS = 250;
const STOP_S = { fast: 8, smart: 2 };

/** A PostgreSQL of our own: its programs, and the folder that it works in. */
export interface Cluster {
  /** Only for the holder of the lock: they may have to be put into the folder first. */
  binaries: () => Promise<Binaries>;
  folder: DataFolder;
}

/** Makes the database; whole, or not at all. */
export async function initialise(cluster: Cluster, access: Access): Promise<void> {
  const { folder } = cluster;
  const binaries = await cluster.binaries();
  const draft = draftOf(folder);
  await rm(draft, { recursive: true, force: true });
  const { settings, initdb, role, done } = await prepareAccess(folder, access);
  try {
    await run(cluster, binaries.initdb, [
      ...['--pgdata', draft, '--username', SUPERUSER, '--encoding', 'UTF8', '--no-instructions'],
      ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ...initdb,
      ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ]);
    // Alone, without a socket, it takes a statement a line.
    const database = `CREATE DATABASE ${DATABASE_NAME} OWNER ${DATABASE_NAME}`;
    const args = ['--single', '-D', draft, SUPERUSER];
    await run(cluster, binaries.postgres, args, `${role}\n${database}\n`);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(error instanceof ProgramError)) throw error;
    throw new PrivateDatabaseError(
      `The database in ${folder.path} cannot be made: ${error.message}`,
    );
  } finally {
    await done();
  }
  await rename(draft, folder.database);
  await markDatabase(folder.path);
}

/** Takes away a database that does not run. */
export async function remove({ folder }: Cluster): Promise<void> {
  const draft = draftOf(folder);
  await unmarkDatabase(folder.path);
  // Under its name it is whole, or not there at all.
  await rename(folder.database, draft);
  for (const rest of [draft, join(folder.path, LOG_FILE)])
    await rm(rest, { recursive: true, force: true });
  await removeCopies(folder.path);
}

function draftOf({ database }: DataFolder): string {
  return `${database}.making`;
}

/** Starts PostgreSQL, in a session of its own, and waits until it answers. */
export async function start(cluster: Cluster): Promise<void> {
  const { folder } = cluster;
  const { pg_ctl } = await cluster.binaries();
  await disownLockFiles(folder);
  for (let waited = 0; ; waited += LEFTOVERS_POLL_MS) {
    const before = await logSize(folder);
    try {
      await run(cluster, pg_ctl, [
        ...['start', '--wait', '--timeout', '86400', '--silent'],
        // Relative: it hands the names to a shell.
        ...['-D', basename(folder.database), '-l', LOG_FILE],
      ]);
      return;
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      const reason = (await readLog(folder, before))[0]?.message ?? error.message;
      if (!/shared memory block/.test(reason) || waited >= LEFTOVERS_MS)
        throw new PrivateDatabaseError(`The database in ${folder.path} does not start: ${reason}`);
      await sleep(LEFTOVERS_POLL_MS);
    }
  }
}

/**
 * Stops PostgreSQL: `fast` ends its connections, `smart` takes no new ones and lets those that there
 * are go on. What takes longer than a few seconds goes on by itself.
 */
export async function stop(cluster: Cluster, mode: 'fast' | 'smart'): Promise<void> {
  const { folder } = cluster;
  if ((await findPostmaster(folder)) === undefined) return;
  const args = [
    ...['stop', '--silent', '--mode', mode, '--wait', '--timeout', String(STOP_S[mode])],
    ...['-D', basename(folder.database)],
  ];
  try {
    const { pg_ctl } = await cluster.binaries();
    await run(cluster, pg_ctl, args);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
  }
}

/** The process that runs on the database, whoever started it; only of this machine and container. */
export async function findPostmaster({
  database,
}: Pick<DataFolder, 'database'>): Promise<number | undefined> {
  const pid = Number((await readPidFile(database))[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return (await worksIn(pid, database)) ? pid : undefined;
}

/** A process id is used again for other processes: what the process works on tells. */
async function worksIn(pid: number, database: string): Promise<boolean> {
  if (process.platform === 'linux')
    return (await readlink(`/proc/${pid}/cwd`).catch(absent)) === database;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * PostgreSQL takes a lock file for that of a running server if any process has its id by now, even one
 * that is dead and not yet reaped. All else in `postmaster.pid` stays, since it tells whether other
 * processes of the old server still live.
 */
async function disownLockFiles(folder: DataFolder): Promise<void> {
  if ((await findPostmaster(folder)) !== undefined) return;
  await rm(join(folder.path, '.s.PGSQL.5432.lock'), { force: true });
  const [, ...rest] = await readPidFile(folder.database);
  if (rest.length === 0) return;
  await writeFile(join(folder.database, 'postmaster.pid'), [NOBODYS_PID, ...rest].join('\n'));
}

async function readPidFile(database: string): Promise<string[]> {
  const content = await readFile(join(database, 'postmaster.pid'), 'utf8').catch(absent);
  return content.split('\n');
}

/**
 * Returns undefined for a process that is not there or belongs to another user; any other error says
 * nothing about it.
 */
function absent(error: NodeJS.ErrnoException): string {
  if (/^(?:ENOENT|ENOTDIR|ESRCH|EACCES|EPERM)$/.test(error.code ?? '')) return '';
  throw error;
}

/** A program of PostgreSQL failed; the message is why, in its words. */
class ProgramError extends Error {
  override readonly name = 'ProgramError';
}

/** Runs one of PostgreSQL's programs in the data folder, as the user that it belongs to. */
async function run(
  { folder }: Cluster,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const child = spawn(program, args, {
    ...folder.user,
    cwd: folder.path,
    // Its messages are read below, in English.
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe'],
    // A Ctrl-C in the terminal is not for it.
    detached: true,
  });
  child.stdin.on('error', () => {}).end(input);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new ProgramError(lastReason(said) ?? `${basename(program)} failed.`);
}

function lastReason(said: string): string | undefined {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  // Later errors are mostly consequences of the first.
  const reason = lines.find((line) => /(?:ERROR|FATAL|PANIC|error):/.test(line)) ?? lines.at(-1);
  return reason?.replace(/^.*?(?:ERROR|FATAL|PANIC|error):\s*/, '').trim();
}
