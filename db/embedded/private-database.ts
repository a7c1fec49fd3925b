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
  noteInstallation,
  prepareDataFolder,
  shortPathOf,
  unmarkRestore,
} from './data-folder.ts';
import { acquireLock, LockedError } from './folder-lock.ts';
import {
  ensureRunning,
  enter,
  keepRunning,
  probe,
  type Reachable,
  stopIfUnused,
} from './keep-running.ts';
import { findPostmaster, initialise, remove, stop } from './postmaster.ts';
import { PrivateDatabaseError } from './private-database-error.ts';
import { followLog, type LogLine, logSize } from './server-log.ts';
import { isNobody } from './system-user.ts';

const POLL_MS = 25;
/** How long a command that starts or stops the database is waited for. */
const PATIENCE_MS = 15_000;

export interface PrivateDatabaseOptions {
  dataDir: string;
  /** Called with what people who wait should know. */
  say: (sentence: string) => void;
  access?: Access;
}

/** A running database of our own. */
interface PrivateDatabase {
  /** For `pg`. */
  url: string;
  /** Its data folder. */
  path: string;
  close: () => Promise<void>;
}

/** One that a server runs. */
export interface RunDatabase extends PrivateDatabase {
  /** Tells commands that use the database where its server is found. */
  announce: (address: string) => void;
}

/** One that is used for the moment. */
export interface UsedDatabase extends PrivateDatabase {
  /** Where the server that runs it is found; undefined if there is none, or it does not listen yet. */
  serverAddress: string | undefined;
  /** Closes it, and if it was made just now takes it away again, unless somebody else uses it. */
  discard: () => Promise<void>;
}

interface Place extends Reachable {
  access: Access;
  lock: string;
  release: () => Promise<void>;
}

/** Purpose for which a process locks a data folder. */
type Purpose = 'server' | 'move' | 'command';

/**
 * Runs the database of a data folder for a server or a move, which has the folder to itself until it closes:
 * takes over one that still runs, starts it again when it ends, and stops it in the end. `make` makes
 * it if there is none yet. Throws a `PrivateDatabaseError` if that cannot be.
 */
export async function runPrivateDatabase({
  dataDir,
  say,
  access = DEFAULT_ACCESS,
  make,
  purpose,
  onLog,
  onRestart,
}: PrivateDatabaseOptions & {
  make: boolean;
  purpose: 'server' | 'move';
  onLog: (line: LogLine) => void;
  /** Called when PostgreSQL has ended without being asked to, with why if it cannot be started again. */
  onRestart: (error: Error | undefined) => void;
}): Promise<RunDatabase> {
  const place = await find(dataDir, access, make);
  let address: string | undefined;
  const unlock = await lockForLong(place, purpose, () => address).catch(async (error: unknown) => {
    await place.release();
    throw error;
  });
  const release = async () => {
    await unlock();
    await place.release();
  };
  try {
    const logged = await logSize(place.folder);
    await prepare(place, { make, restores: false });
    const url = await ensureRunning(place, say);
    if (purpose === 'server') await describeFolder(place.folder, say);
    const stopFollowing = followLog(place.folder, logged, onLog);
    const stopWatching = keepRunning(place, onRestart);
    return {
      url,
      path: place.folder.path,
      announce: (found) => {
        address = found;
      },
      close: async () => {
        await stopWatching();
        await stop(place, 'fast');
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
 * Uses the database of a data folder for a command, beside a server or alone: it is started if it
 * does not run, and stopped in the end if nobody else uses it. `make` makes it if there is none. One
 * that is made to restore into is nobody else's before it was closed.
 */
export async function usePrivateDatabase({
  dataDir,
  say,
  access = DEFAULT_ACCESS,
  make,
  restores = false,
}: PrivateDatabaseOptions & { make: boolean; restores?: boolean }): Promise<UsedDatabase> {
  const place = await find(dataDir, access, make);
  try {
    const { url, isNew, end, serverAddress } = await reach(place, say, { make, restores });
    const close = async (isInVain: boolean) => {
      await end();
      await leave(place, isInVain);
      await place.release();
    };
    return {
      url,
      path: place.folder.path,
      serverAddress,
      close: async () => {
        if (restores) await unmarkRestore(place.folder);
        await close(false);
      },
      discard: () => close(isNew),
    };
  } catch (error) {
    await place.release();
    throw error;
  }
}

/**
 * The URL of the database, which answers then, with a connection that is there until it is ended:
 * others who leave see that somebody is here.
 */
async function reach(
  place: Place,
  say: (sentence: string) => void,
  making: { make: boolean; restores: boolean },
): Promise<{
  url: string;
  isNew: boolean;
  end: () => Promise<void>;
  serverAddress: string | undefined;
}> {
  for (let waited = 0; ; waited += POLL_MS) {
    const unlock = await tryLock(place, 'command');
    if (typeof unlock === 'function')
      // Nobody starts or stops it meanwhile.
      try {
        const isNew = await prepare(place, making);
        if (isNew && !making.restores)
          say(
            `There was no database in ${place.folder.path}, so an empty one was made. If your data is elsewhere, set DATA_DIR to its folder.`,
          );
        const url = await ensureRunning(place, say);
        return { url, isNew, end: await enter(url), serverAddress: undefined };
      } finally {
        await unlock();
      }
    if (unlock.purpose === 'move')
      throw new PrivateDatabaseError(
        `Another process (${unlock.pid}) is moving the database in ${place.folder.path} to a PostgreSQL server; try again when it is done.`,
      );
    const url = unlock.purpose === 'server' ? await place.url() : undefined;
    if (url !== undefined && (await probe(url)) === 'ready')
      return { url, isNew: false, end: await enter(url), serverAddress: unlock.address };
    if (waited >= PATIENCE_MS)
      throw new PrivateDatabaseError(
        `The database in ${place.folder.path} is being started or stopped by another process (${unlock.pid ?? 'unknown'}); try again when it is done.`,
      );
    await sleep(POLL_MS);
  }
}

/** Makes the database if there is none; whether it did. */
async function prepare(
  place: Place,
  { make, restores }: { make: boolean; restores: boolean },
): Promise<boolean> {
  if (!restores) await assertRestored(place.folder);
  const isThere = await hasDatabase(place.folder);
  if (!isThere && !make) throw noDatabase(place.folder.path);
  // Now is the time to say that they do not run here.
  await place.binaries();
  if (isThere) return false;
  if (restores) await markRestore(place.folder);
  await initialise(place, place.access);
  return true;
}

async function find(dataDir: string, access: Access, make: boolean): Promise<Place> {
  const folder = await prepareDataFolder(dataDir, make);
  let found: Promise<Binaries> | undefined;
  const binaries = () => (found ??= findBinaries(folder.user, folder.path));
  const { path, release } = await shortPathOf(folder.path);
  const url = () => urlOf(folder, access, path);
  return { folder, binaries, access, url, lock: join(path, 'lock'), release };
}

/** Tells whoever starts a server what is surprising about its data folder. */
async function describeFolder(
  { path, user, unreachable }: DataFolder,
  say: (sentence: string) => void,
): Promise<void> {
  if (unreachable !== undefined)
    say(
      `The data is in ${path}, because PostgreSQL does not run as root and cannot reach ${unreachable}.`,
    );
  const other = await noteInstallation(path);
  if (other !== undefined)
    say(`The data in ${path} was last used by another installation of Nameplate, in ${other}.`);
  if (user && (await isNobody(user)))
    say(
      `PostgreSQL runs as nobody, so every program that runs as nobody can read ${path}. To give it a user of its own, stop the server and run: useradd --system nameplate && chown -R nameplate: ${path}`,
    );
}

async function lockForLong(
  place: Place,
  purpose: Purpose,
  findAddress: () => string | undefined,
): Promise<() => Promise<void>> {
  for (let waited = 0; ; waited += POLL_MS) {
    const unlock = await tryLock(place, purpose, findAddress);
    if (typeof unlock === 'function') return unlock;
    if (unlock.purpose !== 'command' || waited >= PATIENCE_MS)
      throw new PrivateDatabaseError(
        `Another process (${unlock.pid ?? 'which does not answer'}) is using the data folder ${place.folder.path}; stop it, or choose another DATA_DIR.`,
      );
    await sleep(POLL_MS);
  }
}

/** How to let go of the lock, or who holds it. */
async function tryLock({ lock }: Place, purpose: Purpose, findAddress?: () => string | undefined) {
  try {
    return await acquireLock(lock, purpose, findAddress);
  } catch (error) {
    if (error instanceof LockedError) return error.holder;
    throw error;
  }
}

/** Whoever leaves last puts the light out, and takes away what was made in vain. */
async function leave(place: Place, isInVain: boolean): Promise<void> {
  const unlock = await tryLock(place, 'command');
  if (typeof unlock !== 'function') return;
  try {
    await stopIfUnused(place);
    if (isInVain && (await findPostmaster(place.folder)) === undefined) {
      await remove(place);
      await unmarkRestore(place.folder);
    }
  } finally {
    await unlock();
  }
}
