import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, DEFAULT_ACCESS, findDatabaseUrl } from './access.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import {
  assertRestored,
  type DataFolder,
  hasDatabase,
  markRestore,
  noDatabaseError,
  recordInstallation,
  prepareDataFolder,
  shortenPath,
  unmarkRestore,
} from './data-folder.ts';
import { acquireLock, LockedError } from './folder-lock.ts';
import {
  ensureRunning,
  holdConnection,
  restartOnExit,
  probeDatabase,
  type ReachableCluster,
  stopIfUnused,
} from './keep-running.ts';
import { findPostmaster, createCluster, removeCluster, stopPostgres } from './postmaster.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { followLog, type LogLine, logSize } from './server-log.ts';
import { isNobody } from './system-user.ts';

const POLL_MS = 25;
/** How long to wait for another process that is starting, stopping or using the database. */
const WAIT_TIMEOUT_MS = 15_000;

export interface EmbeddedDatabaseOptions {
  dataDir: string;
  /** Called with human-readable messages. */
  onMessage: (message: string) => void;
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

interface LockableCluster extends ReachableCluster {
  access: Access;
  lockPath: string;
  release: () => Promise<void>;
}

/** Purpose for which a process locks a data folder. */
type Purpose = 'server' | 'move' | 'command';

/**
 * Runs the database of a data folder for a server or a move, which locks the folder until it closes the database. Takes
 * over a running PostgreSQL, restarts it after a crash, and stops it at the end. `createIfMissing` creates a missing database.
 * Throws an `EmbeddedDatabaseError` on failure.
 */
export async function runEmbeddedDatabase({
  dataDir,
  onMessage,
  access = DEFAULT_ACCESS,
  createIfMissing,
  purpose,
  onLog,
  onRestart,
}: EmbeddedDatabaseOptions & {
  createIfMissing: boolean;
  purpose: 'server' | 'move';
  onLog: (line: LogLine) => void;
  /**
   * Called after PostgreSQL ended unexpectedly and was restarted, or with an error if the restart
   * failed.
   */
  onRestart: (error: Error | undefined) => void;
}): Promise<RunningDatabase> {
  const cluster = await openDataFolder(dataDir, access, createIfMissing);
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
    const logOffset = await logSize(cluster.folder);
    await createDatabaseIfMissing(cluster, { createIfMissing, isRestore: false });
    const url = await ensureRunning(cluster, onMessage);
    if (purpose === 'server') await reportFolder(cluster.folder, onMessage);
    const stopFollowing = followLog(cluster.folder, logOffset, onLog);
    const stopWatching = restartOnExit(cluster, onRestart);
    return {
      url,
      path: cluster.folder.path,
      announce: (newAddress) => {
        address = newAddress;
      },
      close: async () => {
        await stopWatching();
        await stopPostgres(cluster, 'fast');
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
 * Uses the database of a data folder for a command, even while a server runs it. Starts it if
 * necessary, and stops it at the end if there are no other clients. `createIfMissing` creates a
 * missing database. With `isRestore`, a new database is marked as unfinished until it is closed.
 */
export async function useEmbeddedDatabase({
  dataDir,
  onMessage,
  access = DEFAULT_ACCESS,
  createIfMissing,
  isRestore = false,
}: EmbeddedDatabaseOptions & {
  createIfMissing: boolean;
  isRestore?: boolean;
}): Promise<CommandDatabase> {
  const cluster = await openDataFolder(dataDir, access, createIfMissing);
  try {
    const {
      url,
      isNew,
      end: closeConnection,
      serverAddress,
    } = await connectOrStart(cluster, onMessage, {
      createIfMissing,
      isRestore,
    });
    const close = async (removesDatabase: boolean) => {
      await closeConnection();
      await stopIfLast(cluster, removesDatabase);
      await cluster.release();
    };
    return {
      url,
      path: cluster.folder.path,
      serverAddress,
      close: async () => {
        if (isRestore) await unmarkRestore(cluster.folder);
        await close(false);
      },
      discard: () => close(isNew),
    };
  } catch (error) {
    await cluster.release();
    throw error;
  }
}

/**
 * Starts the database if necessary and holds a connection, so that other processes do not stop it.
 * Returns its URL.
 */
async function connectOrStart(
  cluster: LockableCluster,
  onMessage: (message: string) => void,
  options: { createIfMissing: boolean; isRestore: boolean },
): Promise<{
  url: string;
  isNew: boolean;
  end: () => Promise<void>;
  serverAddress: string | undefined;
}> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const unlockOrHolder = await tryLock(cluster, 'command');
    if (typeof unlockOrHolder === 'function')
      // While this process holds the lock, no other one starts or stops the database.
      try {
        const isNew = await createDatabaseIfMissing(cluster, options);
        if (isNew && !options.isRestore)
          onMessage(
            `There was no database in ${cluster.folder.path}, so an empty one was created. If your data is elsewhere, set DATA_DIR to its folder.`,
          );
        const url = await ensureRunning(cluster, onMessage);
        return { url, isNew, end: await holdConnection(url), serverAddress: undefined };
      } finally {
        await unlockOrHolder();
      }
    if (unlockOrHolder.purpose === 'move')
      throw new EmbeddedDatabaseError(
        `Another process (${unlockOrHolder.pid}) is moving the database in ${cluster.folder.path} to a PostgreSQL server; try again when it is done.`,
      );
    const url = unlockOrHolder.purpose === 'server' ? await cluster.url() : undefined;
    if (url !== undefined && (await probeDatabase(url)) === 'ready')
      return {
        url,
        isNew: false,
        end: await holdConnection(url),
        serverAddress: unlockOrHolder.address,
      };
    if (waitedMs >= WAIT_TIMEOUT_MS)
      throw new EmbeddedDatabaseError(
        `The database in ${cluster.folder.path} is being started or stopped by another process (${unlockOrHolder.pid ?? 'unknown'}); try again when it is done.`,
      );
    await sleep(POLL_MS);
  }
}

/** Creates the database if necessary. Returns whether it did. */
async function createDatabaseIfMissing(
  cluster: LockableCluster,
  { createIfMissing, isRestore }: { createIfMissing: boolean; isRestore: boolean },
): Promise<boolean> {
  if (!isRestore) await assertRestored(cluster.folder);
  const databaseExists = await hasDatabase(cluster.folder);
  if (!databaseExists && !createIfMissing) throw noDatabaseError(cluster.folder.path);
  // Fails early if the binaries do not run here.
  await cluster.binaries();
  if (databaseExists) return false;
  if (isRestore) await markRestore(cluster.folder);
  await createCluster(cluster, cluster.access);
  return true;
}

async function openDataFolder(
  dataDir: string,
  access: Access,
  createIfMissing: boolean,
): Promise<LockableCluster> {
  const folder = await prepareDataFolder(dataDir, createIfMissing);
  let binariesPromise: Promise<Binaries> | undefined;
  const binaries = () => (binariesPromise ??= findBinaries(folder.user, folder.path));
  const { path, release } = await shortenPath(folder.path);
  const url = () => findDatabaseUrl(folder, access, path);
  return { folder, binaries, access, url, lockPath: join(path, 'lock'), release };
}

/** Reports unusual facts about the data folder when a server starts. */
async function reportFolder(
  { path, user, unreachableFolder }: DataFolder,
  onMessage: (message: string) => void,
): Promise<void> {
  if (unreachableFolder !== undefined)
    onMessage(
      `The data is in ${path}, because PostgreSQL does not run as root and cannot reach ${unreachableFolder}.`,
    );
  const previousInstallation = await recordInstallation(path);
  if (previousInstallation !== undefined)
    onMessage(
      `The data in ${path} was last used by another installation of Nameplate, in ${previousInstallation}.`,
    );
  if (user && (await isNobody(user)))
    onMessage(
      `Other programs of the user nobody can read ${path}. To prevent that, stop the server and run: useradd --system nameplate && chown -R nameplate: ${path}`,
    );
}

async function lockOrWait(
  cluster: LockableCluster,
  purpose: Purpose,
  findAddress: () => string | undefined,
): Promise<() => Promise<void>> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const unlockOrHolder = await tryLock(cluster, purpose, findAddress);
    if (typeof unlockOrHolder === 'function') return unlockOrHolder;
    if (unlockOrHolder.purpose !== 'command' || waitedMs >= WAIT_TIMEOUT_MS)
      throw new EmbeddedDatabaseError(
        `Another process (${unlockOrHolder.pid ?? 'which does not answer'}) is using the data folder ${cluster.folder.path}; stop it, or choose another DATA_DIR.`,
      );
    await sleep(POLL_MS);
  }
}

/** Returns a function that releases the lock, or the current holder if the lock is taken. */
async function tryLock(
  { lockPath }: LockableCluster,
  purpose: Purpose,
  findAddress?: () => string | undefined,
) {
  try {
    return await acquireLock(lockPath, purpose, findAddress);
  } catch (error) {
    if (error instanceof LockedError) return error.holder;
    throw error;
  }
}

/**
 * Stops PostgreSQL if there are no other clients. Then, with `removesDatabase`, removes the
 * database.
 */
async function stopIfLast(cluster: LockableCluster, removesDatabase: boolean): Promise<void> {
  const unlock = await tryLock(cluster, 'command');
  if (typeof unlock !== 'function') return;
  try {
    await stopIfUnused(cluster);
    if (removesDatabase && (await findPostmaster(cluster.folder)) === undefined) {
      await removeCluster(cluster);
      await unmarkRestore(cluster.folder);
    }
  } finally {
    await unlock();
  }
}
