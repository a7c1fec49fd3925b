import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, DEFAULT_ACCESS, findDatabaseUrl } from './access.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import {
  assertRestored,
  type DataFolder,
  hasDatabase,
  isRestoreUnfinished,
  markRestore,
  noDatabaseError,
  prepareDataFolder,
  shortenPath,
  unmarkRestore,
} from './data-folder.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { type LockHolder, tryLock } from './folder-lock.ts';
import {
  ensureRunning,
  holdConnection,
  restartOnExit,
  probeDatabase,
  stopIfUnused,
} from './keep-running.ts';
import {
  type Cluster,
  findPostmaster,
  createCluster,
  removeCluster,
  stopPostgres,
} from './postmaster.ts';
import { followLog, type LogLine, logSize } from './server-log.ts';
import { isNobody } from './system-user.ts';

const POLL_MS = 25;
/** How long to wait for another process that is starting, stopping or using the database. */
const WAIT_TIMEOUT_MS = 15_000;

export interface EmbeddedDatabase {
  url: string;
  /** The data folder. */
  path: string;
  close: () => Promise<void>;
}

/**
 * Runs the database of a data folder for a server, which locks the folder until it closes the
 * database. Creates a missing database, takes over a running PostgreSQL, restarts it after a crash,
 * and stops it at the end. Throws an `EmbeddedDatabaseError` on failure.
 */
export async function runEmbeddedDatabase(
  dataDir: string,
  {
    onMessage,
    onLog,
    onRestart,
    findAddress,
    access = DEFAULT_ACCESS,
  }: {
    /** Called with human-readable messages. */
    onMessage: (message: string) => void;
    onLog: (line: LogLine) => void;
    /**
     * Called after PostgreSQL ended unexpectedly and was restarted, or with an error if the restart
     * failed.
     */
    onRestart: (error: Error | undefined) => void;
    /** Returns the URL of the server, once it listens, for commands that use the same database. */
    findAddress: () => string | undefined;
    access?: Access;
  },
): Promise<EmbeddedDatabase> {
  await using resources = new AsyncDisposableStack();
  const cluster = await openCluster(dataDir, access, 'create');
  resources.defer(cluster.release);
  const lock = await retryWhile(
    () => tryLock(cluster.lockPath, 'server', findAddress),
    (result) => !result.acquired && result.heldBy.purpose === 'command',
  );
  if (!lock.acquired)
    throw new EmbeddedDatabaseError(
      `Another process (${lock.heldBy.pid ?? 'which does not answer'}) is using the data folder ${cluster.folder.path}; stop it, or choose another DATA_DIR.`,
    );
  resources.defer(lock.release);
  const logOffset = await logSize(cluster.folder);
  await createIfMissing(cluster, 'create');
  const url = await ensureRunning(cluster, onMessage);
  await reportFolder(cluster.folder, onMessage);
  resources.defer(followLog(cluster.folder, logOffset, onLog));
  resources.defer(() => stopPostgres(cluster, 'fast'));
  resources.defer(restartOnExit(cluster, onRestart));
  const ownedResources = resources.move();
  return { url, path: cluster.folder.path, close: () => ownedResources.disposeAsync() };
}

/** `restore` also creates the database, and marks it as unfinished until `unmarkRestore`. */
export type IfMissing = 'fail' | 'create' | 'restore';

/**
 * Uses the database of a data folder for a command, even while a server runs it. Starts it if
 * necessary, and stops it at the end if there are no other clients. Closing also removes a database
 * that this command created for a restore that did not finish.
 */
export async function attachToEmbeddedDatabase(
  dataDir: string,
  {
    ifMissing = 'fail',
    onMessage = () => {},
    access = DEFAULT_ACCESS,
  }: { ifMissing?: IfMissing; onMessage?: (message: string) => void; access?: Access } = {},
): Promise<
  EmbeddedDatabase & {
    /** URL of the server that runs the database; undefined if there is none, or it does not listen yet. */
    serverAddress: string | undefined;
  }
> {
  await using resources = new AsyncDisposableStack();
  const cluster = await openCluster(dataDir, access, ifMissing);
  resources.defer(cluster.release);
  const attempt = await retryWhile(
    () => tryAttach(cluster, ifMissing, onMessage),
    ({ attached }) => !attached,
  );
  if (!attempt.attached)
    throw new EmbeddedDatabaseError(
      `The database in ${cluster.folder.path} is being started or stopped by another process (${attempt.heldBy.pid ?? 'unknown'}); try again when it is done.`,
    );
  const { url, isNew, disconnect, serverAddress } = attempt;
  resources.defer(() => stopIfLast(cluster, isNew));
  resources.defer(disconnect);
  const ownedResources = resources.move();
  return {
    url,
    path: cluster.folder.path,
    serverAddress,
    close: () => ownedResources.disposeAsync(),
  };
}

type AttachAttempt =
  | {
      attached: true;
      url: string;
      isNew: boolean;
      /** Closes the connection that keeps other processes from stopping the database. */
      disconnect: () => Promise<void>;
      serverAddress: string | undefined;
    }
  | { attached: false; heldBy: LockHolder };

/** Starts the database if no other process uses it, otherwise connects if it is ready. */
async function tryAttach(
  cluster: Cluster,
  ifMissing: IfMissing,
  onMessage: (message: string) => void,
): Promise<AttachAttempt> {
  const lock = await tryLock(cluster.lockPath, 'command');
  if (!lock.acquired) {
    const { heldBy } = lock;
    const url = heldBy.purpose === 'server' ? await cluster.url() : undefined;
    if (url === undefined || (await probeDatabase(url)) !== 'ready')
      return { attached: false, heldBy };
    const disconnect = await holdConnection(url);
    return { attached: true, url, isNew: false, disconnect, serverAddress: heldBy.address };
  }
  // While this process holds the lock, no other one starts or stops the database.
  try {
    const isNew = await createIfMissing(cluster, ifMissing);
    if (isNew && ifMissing === 'create')
      onMessage(
        `There was no database in ${cluster.folder.path}, so an empty one was created. If your data is elsewhere, set DATA_DIR to its folder.`,
      );
    const url = await ensureRunning(cluster, onMessage);
    const disconnect = await holdConnection(url);
    return { attached: true, url, isNew, disconnect, serverAddress: undefined };
  } finally {
    await lock.release();
  }
}

/** Returns whether the database was created. */
async function createIfMissing(cluster: Cluster, ifMissing: IfMissing): Promise<boolean> {
  if (ifMissing !== 'restore') await assertRestored(cluster.folder);
  const databaseExists = await hasDatabase(cluster.folder);
  if (!databaseExists && ifMissing === 'fail') throw noDatabaseError(cluster.folder.path);
  // Fails early if the binaries do not run here.
  await cluster.binaries();
  if (databaseExists) return false;
  if (ifMissing === 'restore') await markRestore(cluster.folder);
  await createCluster(cluster);
  return true;
}

async function openCluster(
  dataDir: string,
  access: Access,
  ifMissing: IfMissing,
): Promise<Cluster> {
  const folder = await prepareDataFolder(dataDir, ifMissing !== 'fail');
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
  if (user && (await isNobody(user)))
    onMessage(
      `Other programs of the user "nobody" can read ${path}. To prevent that, stop the server and run: useradd --system nameplate && chown -R nameplate: ${path}`,
    );
}

/** Repeats `attempt` while its result is `isBusy`, but not longer than the timeout. */
async function retryWhile<Result>(
  attempt: () => Promise<Result>,
  isBusy: (result: Result) => boolean,
): Promise<Result> {
  const deadline = performance.now() + WAIT_TIMEOUT_MS;
  for (;;) {
    const result = await attempt();
    if (!isBusy(result) || performance.now() >= deadline) return result;
    await sleep(POLL_MS);
  }
}

async function stopIfLast(cluster: Cluster, isNew: boolean): Promise<void> {
  const lock = await tryLock(cluster.lockPath, 'command');
  if (!lock.acquired) return;
  try {
    await stopIfUnused(cluster);
    if (!isNew || !(await isRestoreUnfinished(cluster.folder))) return;
    if ((await findPostmaster(cluster.folder)) !== undefined) return;
    await removeCluster(cluster);
    await unmarkRestore(cluster.folder);
  } finally {
    await lock.release();
  }
}
