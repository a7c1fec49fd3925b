import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, DEFAULT_ACCESS, urlOf } from './access.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import {
  assertRestored,
  type DataFolder,
  hasDatabase,
  markRestore,
  noDatabase,
  recordInstallation,
  prepareDataFolder,
  shortPathOf,
  unmarkRestore,
} from './data-folder.ts';
import { acquireLock, LockedError } from './folder-lock.ts';
import {
  ensureRunning,
  holdConnection,
  restartOnExit,
  probe,
  type Reachable,
  stopIfUnused,
} from './keep-running.ts';
import { findPostmaster, initialise, remove, stop } from './postmaster.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { followLog, type LogLine, logSize } from './server-log.ts';
import { isNobody } from './system-user.ts';

const POLL_MS = 25;
/** Timeout for another process that starts or stops the database. */
const WAIT_TIMEOUT_MS = 15_000;

export interface EmbeddedDatabaseOptions {
  dataDir: string;
  /** Called with messages for people. */
  say: (sentence: string) => void;
  access?: Access;
}

interface EmbeddedDatabase {
  url: string;
  /** The data folder. */
  path: string;
  close: () => Promise<void>;
}

/** An embedded database run by a server. */
export interface RunningDatabase extends EmbeddedDatabase {
  /** Publishes the server's address to commands that use the same database. */
  announce: (address: string) => void;
}

/** An embedded database used by a command. */
export interface CommandDatabase extends EmbeddedDatabase {
  /** Address of the server that runs the database; undefined if there is none, or it does not listen yet. */
  serverAddress: string | undefined;
  /** Closes the database. If this command created it and nobody else uses it, removes it. */
  discard: () => Promise<void>;
}

interface LockableCluster extends Reachable {
  access: Access;
  lock: string;
  release: () => Promise<void>;
}

/** Purpose for which a process locks a data folder. */
type Purpose = 'server' | 'move' | 'command';

/**
 * Runs the database of a data folder for a server or a move, which locks the folder until it closes the database. Takes
 * over a running PostgreSQL, restarts it after a crash, and stops it at the end. `make` creates a missing database.
 * Throws a `EmbeddedDatabaseError` on failure.
 */
export async function runEmbeddedDatabase({
  dataDir,
  say,
  access = DEFAULT_ACCESS,
  make,
  purpose,
  onLog,
  onRestart,
}: EmbeddedDatabaseOptions & {
  make: boolean;
  purpose: 'server' | 'move';
  onLog: (line: LogLine) => void;
  /** Called after an unexpected end of PostgreSQL, with an error if the restart failed. */
  onRestart: (error: Error | undefined) => void;
}): Promise<RunningDatabase> {
  const cluster = await openDataFolder(dataDir, access, make);
  let address: string | undefined;
  const unlock = await lockOrWait(cluster, purpose, () => address).catch(async (error: unknown) => {
    await cluster.release();
    throw error;
  });
  const release = async () => {
    await unlock();
    await cluster.release();
  };
  try {
    const logged = await logSize(cluster.folder);
    await prepare(cluster, { make, restores: false });
    const url = await ensureRunning(cluster, say);
    if (purpose === 'server') await reportFolder(cluster.folder, say);
    const stopFollowing = followLog(cluster.folder, logged, onLog);
    const stopWatching = restartOnExit(cluster, onRestart);
    return {
      url,
      path: cluster.folder.path,
      announce: (found) => {
        address = found;
      },
      close: async () => {
        await stopWatching();
        await stop(cluster, 'fast');
        stopFollowing();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Uses the database of a data folder for a command, also beside a server. Starts it if necessary, and stops it at the
 * end if there are no other clients. `make` creates a missing database. With `restores`, a new database is marked as
 * unfinished until it is closed.
 */
export async function useEmbeddedDatabase({
  dataDir,
  say,
  access = DEFAULT_ACCESS,
  make,
  restores = false,
}: EmbeddedDatabaseOptions & { make: boolean; restores?: boolean }): Promise<CommandDatabase> {
  const cluster = await openDataFolder(dataDir, access, make);
  try {
    const { url, isNew, end, serverAddress } = await connectOrStart(cluster, say, {
      make,
      restores,
    });
    const close = async (removesDatabase: boolean) => {
      await end();
      await stopIfLast(cluster, removesDatabase);
      await cluster.release();
    };
    return {
      url,
      path: cluster.folder.path,
      serverAddress,
      close: async () => {
        if (restores) await unmarkRestore(cluster.folder);
        await close(false);
      },
      discard: () => close(isNew),
    };
  } catch (error) {
    await cluster.release();
    throw error;
  }
}

/** Returns the URL of the running database and holds a connection, so that other processes do not stop it. */
async function connectOrStart(
  cluster: LockableCluster,
  say: (sentence: string) => void,
  making: { make: boolean; restores: boolean },
): Promise<{
  url: string;
  isNew: boolean;
  end: () => Promise<void>;
  serverAddress: string | undefined;
}> {
  for (let waited = 0; ; waited += POLL_MS) {
    const unlock = await tryLock(cluster, 'command');
    if (typeof unlock === 'function')
      // While this process holds the lock, no other one starts or stops the database.
      try {
        const isNew = await prepare(cluster, making);
        if (isNew && !making.restores)
          say(
            `There was no database in ${cluster.folder.path}, so an empty one was created. If your data is elsewhere, set DATA_DIR to its folder.`,
          );
        const url = await ensureRunning(cluster, say);
        return { url, isNew, end: await holdConnection(url), serverAddress: undefined };
      } finally {
        await unlock();
      }
    if (unlock.purpose === 'move')
      throw new EmbeddedDatabaseError(
        `Another process (${unlock.pid}) is moving the database in ${cluster.folder.path} to a PostgreSQL server; try again when it is done.`,
      );
    const url = unlock.purpose === 'server' ? await cluster.url() : undefined;
    if (url !== undefined && (await probe(url)) === 'ready')
      return { url, isNew: false, end: await holdConnection(url), serverAddress: unlock.address };
    if (waited >= WAIT_TIMEOUT_MS)
      throw new EmbeddedDatabaseError(
        `The database in ${cluster.folder.path} is being started or stopped by another process (${unlock.pid ?? 'unknown'}); try again when it is done.`,
      );
    await sleep(POLL_MS);
  }
}

/** Creates the database if necessary. Returns whether it did. */
async function prepare(
  cluster: LockableCluster,
  { make, restores }: { make: boolean; restores: boolean },
): Promise<boolean> {
  if (!restores) await assertRestored(cluster.folder);
  const isThere = await hasDatabase(cluster.folder);
  if (!isThere && !make) throw noDatabase(cluster.folder.path);
  // Fails early if the binaries do not run here.
  await cluster.binaries();
  if (isThere) return false;
  if (restores) await markRestore(cluster.folder);
  await initialise(cluster, cluster.access);
  return true;
}

async function openDataFolder(
  dataDir: string,
  access: Access,
  make: boolean,
): Promise<LockableCluster> {
  const folder = await prepareDataFolder(dataDir, make);
  let found: Promise<Binaries> | undefined;
  const binaries = () => (found ??= findBinaries(folder.user, folder.path));
  const { path, release } = await shortPathOf(folder.path);
  const url = () => urlOf(folder, access, path);
  return { folder, binaries, access, url, lock: join(path, 'lock'), release };
}

/** Reports unusual facts about the data folder when a server starts. */
async function reportFolder(
  { path, user, unreachable }: DataFolder,
  say: (sentence: string) => void,
): Promise<void> {
  if (unreachable !== undefined)
    say(
      `The data is in ${path}, because PostgreSQL does not run as root and cannot reach ${unreachable}.`,
    );
  const other = await recordInstallation(path);
  if (other !== undefined)
    say(`The data in ${path} was last used by another installation of Nameplate, in ${other}.`);
  if (user && (await isNobody(user)))
    say(
      `PostgreSQL runs as nobody, so every program that runs as nobody can read ${path}. To give it a user of its own, stop the server and run: useradd --system nameplate && chown -R nameplate: ${path}`,
    );
}

async function lockOrWait(
  cluster: LockableCluster,
  purpose: Purpose,
  findAddress: () => string | undefined,
): Promise<() => Promise<void>> {
  for (let waited = 0; ; waited += POLL_MS) {
    const unlock = await tryLock(cluster, purpose, findAddress);
    if (typeof unlock === 'function') return unlock;
    if (unlock.purpose !== 'command' || waited >= WAIT_TIMEOUT_MS)
      throw new EmbeddedDatabaseError(
        `Another process (${unlock.pid ?? 'which does not answer'}) is using the data folder ${cluster.folder.path}; stop it, or choose another DATA_DIR.`,
      );
    await sleep(POLL_MS);
  }
}

/** Returns a function that releases the lock, or the current holder. */
async function tryLock(
  { lock }: LockableCluster,
  purpose: Purpose,
  findAddress?: () => string | undefined,
) {
  try {
    return await acquireLock(lock, purpose, findAddress);
  } catch (error) {
    if (error instanceof LockedError) return error.holder;
    throw error;
  }
}

/** The last client stops PostgreSQL and removes a database that this command created. */
async function stopIfLast(cluster: LockableCluster, removesDatabase: boolean): Promise<void> {
  const unlock = await tryLock(cluster, 'command');
  if (typeof unlock !== 'function') return;
  try {
    await stopIfUnused(cluster);
    if (removesDatabase && (await findPostmaster(cluster.folder)) === undefined) {
      await remove(cluster);
      await unmarkRestore(cluster.folder);
    }
  } finally {
    await unlock();
  }
}
