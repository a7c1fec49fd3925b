import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, DATABASE_NAME, prepareAccess } from './access.ts';
import { type Binaries, removeBinaryCopies } from './binaries.ts';
import { type DataFolder, writeMarker, removeMarker } from './data-folder.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { LOG_FILE, logSize, readLog } from './server-log.ts';

const SUPERUSER = 'postgres';

/** A pid that no process can have. */
const UNUSED_PID = 2_147_483_646;
/** Time for the child processes of a killed server to end. */
const ORPHAN_TIMEOUT_MS = 15_000;
const ORPHAN_POLL_MS = 250;
const STOP_TIMEOUT_S = { fast: 8, smart: 2 };

/** An embedded PostgreSQL: its binaries and data folder. */
export interface Cluster {
  /** Requires the lock, because it may copy the binaries into the folder. */
  binaries: () => Promise<Binaries>;
  folder: DataFolder;
}

/** Creates the database in a temporary folder and renames it, so it is never incomplete. */
export async function initialise(cluster: Cluster, access: Access): Promise<void> {
  const { folder } = cluster;
  const binaries = await cluster.binaries();
  const draft = draftOf(folder);
  await rm(draft, { recursive: true, force: true });
  const { settings, initdb, role, cleanUp } = await prepareAccess(folder, access);
  try {
    await run(cluster, binaries.initdb, [
      ...['--pgdata', draft, '--username', SUPERUSER, '--encoding', 'UTF8', '--no-instructions'],
      ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ...initdb,
      ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ]);
    // Single-user mode reads one statement per line.
    const database = `CREATE DATABASE ${DATABASE_NAME} OWNER ${DATABASE_NAME}`;
    const args = ['--single', '-D', draft, SUPERUSER];
    await run(cluster, binaries.postgres, args, `${role}\n${database}\n`);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(error instanceof ProgramError)) throw error;
    throw new EmbeddedDatabaseError(
      `The database in ${folder.path} cannot be made: ${error.message}`,
    );
  } finally {
    await cleanUp();
  }
  await rename(draft, folder.database);
  await writeMarker(folder.path);
}

/** Removes a stopped database. */
export async function remove({ folder }: Cluster): Promise<void> {
  const draft = draftOf(folder);
  await removeMarker(folder.path);
  // Rename first, so a half-deleted database never has the real name.
  await rename(folder.database, draft);
  for (const path of [draft, join(folder.path, LOG_FILE)])
    await rm(path, { recursive: true, force: true });
  await removeBinaryCopies(folder.path);
}

function draftOf({ database }: DataFolder): string {
  return `${database}.making`;
}

/** Starts PostgreSQL in its own session and waits until it accepts connections. */
export async function start(cluster: Cluster): Promise<void> {
  const { folder } = cluster;
  const { pg_ctl } = await cluster.binaries();
  await clearStaleLockFiles(folder);
  for (let waited = 0; ; waited += ORPHAN_POLL_MS) {
    const before = await logSize(folder);
    try {
      await run(cluster, pg_ctl, [
        ...['start', '--wait', '--timeout', '86400', '--silent'],
        // Relative paths, because pg_ctl passes them to a shell.
        ...['-D', basename(folder.database), '-l', LOG_FILE],
      ]);
      return;
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      const reason = (await readLog(folder, before))[0]?.message ?? error.message;
      if (!/shared memory block/.test(reason) || waited >= ORPHAN_TIMEOUT_MS)
        throw new EmbeddedDatabaseError(`The database in ${folder.path} does not start: ${reason}`);
      await sleep(ORPHAN_POLL_MS);
    }
  }
}

/** `fast` drops connections, `smart` waits for them. A slow stop continues in the background. */
export async function stop(cluster: Cluster, mode: 'fast' | 'smart'): Promise<void> {
  const { folder } = cluster;
  if ((await findPostmaster(folder)) === undefined) return;
  const args = [
    ...['stop', '--silent', '--mode', mode, '--wait', '--timeout', String(STOP_TIMEOUT_S[mode])],
    ...['-D', basename(folder.database)],
  ];
  try {
    const { pg_ctl } = await cluster.binaries();
    await run(cluster, pg_ctl, args);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
  }
}

/** The pid of the running server, whoever started it. Only sees this machine and container. */
export async function findPostmaster({
  database,
}: Pick<DataFolder, 'database'>): Promise<number | undefined> {
  const pid = Number((await readPidFile(database))[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return (await isWorkingIn(pid, database)) ? pid : undefined;
}

/** Pids are reused, so check the working directory. */
async function isWorkingIn(pid: number, database: string): Promise<boolean> {
  if (process.platform === 'linux')
    return (await readlink(`/proc/${pid}/cwd`).catch(emptyIfMissing)) === database;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * PostgreSQL trusts a lock file if its pid exists, even as a zombie. Only the pid is replaced: the rest shows whether
 * processes of the old server are alive.
 */
async function clearStaleLockFiles(folder: DataFolder): Promise<void> {
  if ((await findPostmaster(folder)) !== undefined) return;
  await rm(join(folder.path, '.s.PGSQL.5432.lock'), { force: true });
  const [, ...rest] = await readPidFile(folder.database);
  if (rest.length === 0) return;
  await writeFile(join(folder.database, 'postmaster.pid'), [UNUSED_PID, ...rest].join('\n'));
}

async function readPidFile(database: string): Promise<string[]> {
  const content = await readFile(join(database, 'postmaster.pid'), 'utf8').catch(emptyIfMissing);
  return content.split('\n');
}

/** Returns an empty string if the process does not exist or belongs to another user. Throws all other errors. */
function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (/^(?:ENOENT|ENOTDIR|ESRCH|EACCES|EPERM)$/.test(error.code ?? '')) return '';
  throw error;
}

/** A PostgreSQL program failed. The message is its first error. */
class ProgramError extends Error {
  override readonly name = 'ProgramError';
}

/** Runs a PostgreSQL program in the data folder, as the folder's user. */
async function run(
  { folder }: Cluster,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const child = spawn(program, args, {
    ...folder.user,
    cwd: folder.path,
    // Error messages are parsed below, so they must be English.
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe'],
    // Ctrl-C in the terminal must not stop PostgreSQL.
    detached: true,
  });
  child.stdin.on('error', () => {}).end(input);
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new ProgramError(firstError(output) ?? `${basename(program)} failed.`);
}

function firstError(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  // Later errors are usually consequences of the first.
  const reason = lines.find((line) => /(?:ERROR|FATAL|PANIC|error):/.test(line)) ?? lines.at(-1);
  return reason?.replace(/^.*?(?:ERROR|FATAL|PANIC|error):\s*/, '').trim();
}
