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

/** Above the highest pid that any system assigns. */
const UNUSED_PID = 2_147_483_646;
/** Time for the child processes of a killed server to end. */
const ORPHAN_TIMEOUT_MS = 15_000;
const ORPHAN_POLL_MS = 250;
const STOP_TIMEOUT_S = { fast: 8, smart: 2 };

export interface Cluster {
  folder: DataFolder;
  access: Access;
  lockPath: string;
  /** Call only while holding the folder lock: this may copy the binaries into the folder. */
  binaries: () => Promise<Binaries>;
  /** May resolve to undefined until the database exists. */
  url: () => Promise<string | undefined>;
  release: () => Promise<void>;
}

/** Creates the database in a staging folder and renames it, so that a failure leaves no partial database. */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { folder, access } = cluster;
  const binaries = await cluster.binaries();
  const staging = stagingFolder(folder);
  await rm(staging, { recursive: true, force: true });
  const { settings, initdbArgs, createRoleSql, cleanUp } = await prepareAccess(folder, access);
  try {
    await runProgram(cluster, binaries.initdb, [
      ...['--pgdata', staging, '--username', SUPERUSER, '--encoding', 'UTF8', '--no-instructions'],
      ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ...initdbArgs,
      ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ]);
    // Single-user mode reads one statement per line.
    const createDatabaseSql = `CREATE DATABASE ${DATABASE_NAME} OWNER ${DATABASE_NAME}`;
    const args = ['--single', '-D', staging, SUPERUSER];
    await runProgram(cluster, binaries.postgres, args, `${createRoleSql}\n${createDatabaseSql}\n`);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!(error instanceof ProgramError)) throw error;
    throw new EmbeddedDatabaseError(
      `The database in ${folder.path} could not be created: ${error.message}`,
    );
  } finally {
    await cleanUp();
  }
  await rename(staging, folder.databaseFolder);
  await writeMarker(folder.path);
}

export async function removeCluster({ folder }: Cluster): Promise<void> {
  const staging = stagingFolder(folder);
  await removeMarker(folder.path);
  // Rename first, so that an interrupted removal leaves no partial database.
  await rename(folder.databaseFolder, staging);
  for (const path of [staging, join(folder.path, LOG_FILE)])
    await rm(path, { recursive: true, force: true });
  await removeBinaryCopies(folder.path);
}

function stagingFolder({ databaseFolder }: DataFolder): string {
  return `${databaseFolder}.making`;
}

/** Starts PostgreSQL and waits until it accepts connections. */
export async function startPostgres(cluster: Cluster): Promise<void> {
  const { folder } = cluster;
  const { pg_ctl } = await cluster.binaries();
  await clearStaleLockFiles(folder);
  const startedAt = performance.now();
  for (;;) {
    const logOffset = await logSize(folder);
    try {
      await runProgram(cluster, pg_ctl, [
        ...['start', '--wait', '--timeout', '86400', '--silent'],
        // Relative paths, because pg_ctl passes them to a shell.
        ...['-D', basename(folder.databaseFolder), '-l', LOG_FILE],
      ]);
      return;
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      const reason = (await readLog(folder, logOffset))[0]?.message ?? error.message;
      if (!/shared memory block/.test(reason) || performance.now() - startedAt >= ORPHAN_TIMEOUT_MS)
        throw new EmbeddedDatabaseError(`The database in ${folder.path} does not start: ${reason}`);
      await sleep(ORPHAN_POLL_MS);
    }
  }
}

/** `fast` drops connections, `smart` waits for them. A slow stop continues in the background. */
export async function stopPostgres(cluster: Cluster, mode: 'fast' | 'smart'): Promise<void> {
  const { folder } = cluster;
  if ((await findPostmaster(folder)) === undefined) return;
  const args = [
    ...['stop', '--silent', '--mode', mode, '--wait', '--timeout', String(STOP_TIMEOUT_S[mode])],
    ...['-D', basename(folder.databaseFolder)],
  ];
  try {
    const { pg_ctl } = await cluster.binaries();
    await runProgram(cluster, pg_ctl, args);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
  }
}

/**
 * Finds the server process, even if another process started it, but only on this machine and in
 * this container.
 */
export async function findPostmaster({
  databaseFolder,
}: Pick<DataFolder, 'databaseFolder'>): Promise<number | undefined> {
  const pid = Number((await readPidFile(databaseFolder))[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return (await isPostmasterRunning(pid, databaseFolder)) ? pid : undefined;
}

/** Pids are reused, so on Linux, check the working directory. */
async function isPostmasterRunning(pid: number, databaseFolder: string): Promise<boolean> {
  if (process.platform === 'linux')
    return (await readlink(`/proc/${pid}/cwd`).catch(emptyIfMissing)) === databaseFolder;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * PostgreSQL refuses to start if the pid in the lock file exists, even as a zombie. Replace only
 * the pid: PostgreSQL uses the other lines to detect surviving child processes.
 */
async function clearStaleLockFiles(folder: DataFolder): Promise<void> {
  if ((await findPostmaster(folder)) !== undefined) return;
  await rm(join(folder.path, '.s.PGSQL.5432.lock'), { force: true });
  const [, ...otherLines] = await readPidFile(folder.databaseFolder);
  if (otherLines.length === 0) return;
  await writeFile(
    join(folder.databaseFolder, 'postmaster.pid'),
    [UNUSED_PID, ...otherLines].join('\n'),
  );
}

async function readPidFile(databaseFolder: string): Promise<string[]> {
  const content = await readFile(join(databaseFolder, 'postmaster.pid'), 'utf8').catch(
    emptyIfMissing,
  );
  return content.split('\n');
}

/** Returns an empty string if the file or process does not exist or is not accessible. */
function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (/^(?:ENOENT|ENOTDIR|ESRCH|EACCES|EPERM)$/.test(error.code ?? '')) return '';
  throw error;
}

/** The message is the program's first error. */
class ProgramError extends Error {
  override readonly name = 'ProgramError';
}

async function runProgram(
  { folder }: Cluster,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const child = spawn(program, args, {
    ...folder.user,
    cwd: folder.path,
    // Error messages must be English, because they are parsed below.
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe'],
    // Detached, so that Ctrl-C does not stop PostgreSQL.
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
