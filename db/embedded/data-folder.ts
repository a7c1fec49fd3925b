import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { NoDatabaseError, PrivateDatabaseError } from './private-database-error.ts';
import { canEnter, findSystemUser, type SystemUser } from './system-user.ts';

/** Its name tells which major version of PostgreSQL reads it. */
const DATABASE = 'postgresql-18';
/** Says that a database was made here, so that a lost one is not taken for none, and who used it last. */
const MARKER = 'nameplate.json';
/** Where this copy of Nameplate is. */
const INSTALLATION = fileURLToPath(new URL('../..', import.meta.url));
/** Says that a restore makes the database, so that one which was cut off is not taken for a new one. */
const RESTORING = 'restore-unfinished';
const DEFAULT_DATA_DIR = './data';
/** Root's default where the user that PostgreSQL runs as cannot reach the other. */
const ROOTS_DATA_DIR = '/var/lib/nameplate';

/** The folder of a database of our own. */
export interface DataFolder {
  /** Without symbolic links. */
  path: string;
  /** PostgreSQL's own folder in it. */
  database: string;
  /** As whom PostgreSQL runs; undefined for the user of this process. */
  user: SystemUser | undefined;
  /** The folder in whose place it is used, because PostgreSQL cannot reach that one. */
  unreachable?: string | undefined;
}

/**
 * Finds the data folder, or makes it, and sees to it that it belongs to the user that PostgreSQL runs
 * as and to nobody else. Throws a `PrivateDatabaseError` if it cannot be used.
 */
export async function prepareDataFolder(dataDir: string, make: boolean): Promise<DataFolder> {
  const { folder, unreachable } = await chooseFolder(dataDir);
  if (!make && !(await isThere(folder))) throw noDatabase(folder);
  // Folders above it are made as they usually are, so that others get through.
  await mkdir(dirname(folder), { recursive: true });
  if (!(await isThere(folder))) await mkdir(folder, { mode: 0o700 });
  const user = await findSystemUser(folder);
  if (user && (await stat(folder)).uid === 0 && (await isEmpty(folder)))
    await chown(folder, user.uid, user.gid);
  const path = await realpath(folder);
  await makePrivate(path, user);
  return { path, database: join(path, DATABASE), user, unreachable };
}

async function chooseFolder(dataDir: string): Promise<{ folder: string; unreachable?: string }> {
  const folder = resolve(dataDir);
  const user = await findSystemUser(folder);
  const above = await existingPart(dirname(folder));
  // Below a file nothing can be made, by whomever.
  if (!user || !(await stat(above)).isDirectory() || canEnter(user, above)) return { folder };
  if (dataDir === DEFAULT_DATA_DIR) return { folder: ROOTS_DATA_DIR, unreachable: folder };
  throw new PrivateDatabaseError(
    `The user that PostgreSQL runs as, since it does not run as root, cannot reach the data folder ${folder}; choose a DATA_DIR outside of private folders, such as ${ROOTS_DATA_DIR}.`,
  );
}

async function existingPart(path: string): Promise<string> {
  return (await isThere(path)) ? path : existingPart(dirname(path));
}

async function makePrivate(folder: string, user: SystemUser | undefined): Promise<void> {
  const own = user?.uid ?? process.getuid?.();
  if (own === undefined) return;
  const { uid, mode } = await stat(folder);
  if (uid !== own)
    throw new PrivateDatabaseError(
      `The data folder ${folder} belongs to another user (${uid}); choose another DATA_DIR, or change its owner.`,
    );
  if ((mode & 0o022) !== 0 && !(await isEmpty(folder)))
    throw new PrivateDatabaseError(
      `The data folder ${folder} can be written by other users, who may have changed what is in it; look at it, then run chmod 700 on it.`,
    );
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/**
 * Whether the folder has a database. Throws a `PrivateDatabaseError` if it has lost it, or holds
 * something else.
 */
export async function hasDatabase({ path, database }: DataFolder): Promise<boolean> {
  const marker = join(path, MARKER);
  if (await isThere(join(database, 'PG_VERSION'))) return true;
  if (await isThere(marker))
    throw new PrivateDatabaseError(
      `The database of the data folder ${path} is gone: there is no ${database}. Is a volume not mounted? Put it back, or restore a backup; to begin with an empty database, delete ${marker}.`,
    );
  const other = (await readdir(path)).find((name) => /^postgresql-\d+$/.test(name));
  if (other !== undefined)
    throw new PrivateDatabaseError(
      `The data folder ${path} holds ${other}, but this version of Nameplate reads ${DATABASE}; run the version that made it, or choose another DATA_DIR.`,
    );
  if (!(await isEmpty(path)))
    throw new PrivateDatabaseError(
      `The folder ${path} holds other things; choose an empty one as DATA_DIR.`,
    );
  return false;
}

/** Nobody has made a database yet where one was looked for. */
export function noDatabase(folder: string): NoDatabaseError {
  return new NoDatabaseError(
    `There is no database in ${folder}; start the server once, run nameplate migrate, or set DATA_DIR or DATABASE_URL to where it is.`,
  );
}

/** Notes that the folder has a database from now on. */
export async function markDatabase(folder: string): Promise<void> {
  const marker = { database: DATABASE, installation: INSTALLATION };
  await writeFile(join(folder, MARKER), `${JSON.stringify(marker)}\n`);
}

/** Notes that this installation uses the folder; returns where the one before is if it is another. */
export async function noteInstallation(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, MARKER), 'utf8').catch(() => '');
  const [, before] = /"installation":"([^"]+)"/.exec(text) ?? [];
  if (before === INSTALLATION) return undefined;
  await markDatabase(folder);
  return before;
}

/** Takes that back. */
export async function unmarkDatabase(folder: string): Promise<void> {
  await rm(join(folder, MARKER), { force: true });
}

/** Notes that the database of the folder is none until it was restored. */
export async function markRestore({ path }: DataFolder): Promise<void> {
  await writeFile(join(path, RESTORING), '');
}

/** Takes that back. */
export async function unmarkRestore({ path }: DataFolder): Promise<void> {
  await rm(join(path, RESTORING), { force: true });
}

/** Throws a `PrivateDatabaseError` if a restore into the folder was cut off. */
export async function assertRestored({ path }: DataFolder): Promise<void> {
  const note = join(path, RESTORING);
  if (await isThere(note))
    throw new PrivateDatabaseError(
      `A restore into the data folder ${path} has not come to its end: run it again, or delete ${note} to take the database as it is.`,
    );
}

/** Whether nothing of anybody's is in a folder; what a start that was cut off left does not count. */
async function isEmpty(folder: string): Promise<boolean> {
  const ours =
    /^(?:lost\+found$|\.|lock\b|programs-|postgresql\.log$|loopback\.json$|restore-unfinished$|.*\.making$)/;
  return (await readdir(folder)).every((name) => ours.test(name));
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

/** Maximum length of a socket's path in bytes on macOS, the strictest system. */
const MAX_SOCKET_PATH = 103;
/** Maximum length of a socket's name in its folder. */
const MAX_SOCKET_NAME = 60;

export interface ShortPath {
  path: string;
  release: () => Promise<void>;
}

/** The folder, or a temporary symbolic link to it if its path is too long for a socket. */
export async function shortPathOf(folder: string): Promise<ShortPath> {
  if (Buffer.byteLength(folder) + MAX_SOCKET_NAME <= MAX_SOCKET_PATH)
    return { path: folder, release: () => Promise.resolve() };
  const detour = await mkdtemp(join(tmpdir(), 'nameplate-'));
  await symlink(await realpath(folder), join(detour, 'd'));
  return { path: join(detour, 'd'), release: () => rm(detour, { recursive: true, force: true }) };
}
