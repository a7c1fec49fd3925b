import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { NoDatabaseError, EmbeddedDatabaseError } from './embedded-database-error.ts';
import { canEnter, findSystemUser, type SystemUser } from './system-user.ts';

/** The name contains the major version of PostgreSQL. */
const DATABASE_FOLDER = 'postgresql-18';
/** Marks that the folder has a database, so that a lost database is not replaced by an empty one. */
const MARKER_FILE = 'nameplate.json';
/** Exists during a restore, so that the result of an interrupted restore is not used. */
const RESTORE_MARKER_FILE = 'restore-unfinished';
export const DEFAULT_DATA_DIR = './data';
/** Replaces `./data` if the server runs as root and PostgreSQL's user cannot reach that folder. */
const ROOT_DATA_DIR = '/var/lib/nameplate';

export interface DataFolder {
  path: string;
  /** PGDATA, a folder in `path`. */
  databaseFolder: string;
  /** The user that PostgreSQL runs as; undefined for the user of this process. */
  user: SystemUser | undefined;
  /** The configured folder, if PostgreSQL cannot reach it and the default for root is used instead. */
  unreachableFolder?: string | undefined;
}

/**
 * Makes sure that only PostgreSQL's user can access the data folder. `createIfMissing` creates a
 * missing folder. Throws an `EmbeddedDatabaseError` if the folder is missing or cannot be used.
 */
export async function prepareDataFolder(
  dataDir: string,
  createIfMissing: boolean,
): Promise<DataFolder> {
  const { folder, unreachableFolder } = await chooseFolder(dataDir);
  if (!createIfMissing && !(await exists(folder))) throw noDatabaseError(folder);
  // Parent folders get the default mode, so that other users can traverse them.
  await mkdir(dirname(folder), { recursive: true });
  if (!(await exists(folder))) await mkdir(folder, { mode: 0o700 });
  const user = await findSystemUser(folder);
  if (user && (await stat(folder)).uid === 0 && (await isEmpty(folder)))
    await chown(folder, user.uid, user.gid);
  const path = await realpath(folder);
  const databaseFolder = join(path, DATABASE_FOLDER);
  await restrictAccess({ path, databaseFolder, user });
  return { path, databaseFolder, user, unreachableFolder };
}

async function chooseFolder(
  dataDir: string,
): Promise<{ folder: string; unreachableFolder?: string }> {
  const folder = resolve(dataDir);
  const user = await findSystemUser(folder);
  const parent = await nearestExisting(dirname(folder));
  // If the parent is a file, mkdir fails later with a better message.
  if (!user || !(await stat(parent)).isDirectory() || canEnter(user, parent)) return { folder };
  if (dataDir === DEFAULT_DATA_DIR) return { folder: ROOT_DATA_DIR, unreachableFolder: folder };
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and its user cannot reach the data folder ${folder}; choose a DATA_DIR outside of private folders, such as ${ROOT_DATA_DIR}.`,
  );
}

async function nearestExisting(path: string): Promise<string> {
  return (await exists(path)) ? path : nearestExisting(dirname(path));
}

async function restrictAccess(dataFolder: DataFolder): Promise<void> {
  const { path: folder, user } = dataFolder;
  const expectedUid = user?.uid ?? process.getuid?.();
  if (expectedUid === undefined) return;
  const { uid, mode } = await stat(folder);
  if (uid !== expectedUid) {
    // Throws if the folder has other files, because then its owner is not the problem.
    if (user) await hasDatabase(dataFolder);
    throw new EmbeddedDatabaseError(
      `The data folder ${folder} belongs to another user (${uid}); choose another DATA_DIR, or change its owner.`,
    );
  }
  if ((mode & 0o022) !== 0 && !(await isEmpty(folder)))
    throw new EmbeddedDatabaseError(
      `The data folder ${folder} can be written by other users, who may have changed what is in it; look at it, then run chmod 700 on it.`,
    );
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
}

export async function hasDatabase({ path, databaseFolder }: DataFolder): Promise<boolean> {
  const markerPath = join(path, MARKER_FILE);
  if (await exists(join(databaseFolder, 'PG_VERSION'))) return true;
  if (await exists(markerPath))
    throw new EmbeddedDatabaseError(
      `The database folder ${databaseFolder} is missing. Check that the volume is mounted, or restore a backup. To start with an empty database, delete ${markerPath}.`,
    );
  const otherVersion = (await readdir(path)).find((name) => /^postgresql-\d+$/.test(name));
  if (otherVersion !== undefined)
    throw new EmbeddedDatabaseError(
      `The data folder ${path} holds ${otherVersion}, but this version of Nameplate reads ${DATABASE_FOLDER}; run the version that made it, or choose another DATA_DIR.`,
    );
  if (!(await isEmpty(path)))
    throw new EmbeddedDatabaseError(
      `The folder ${path} is not empty. Choose an empty folder as DATA_DIR.`,
    );
  return false;
}

export function noDatabaseError(folder: string): NoDatabaseError {
  return new NoDatabaseError(
    `There is no database in ${folder}; start the server once, run nameplate migrate, or set DATA_DIR or DATABASE_URL to where it is.`,
  );
}

export async function writeMarker(folder: string): Promise<void> {
  const marker = { database: DATABASE_FOLDER };
  await writeFile(join(folder, MARKER_FILE), `${JSON.stringify(marker)}\n`);
}

export async function removeMarker(folder: string): Promise<void> {
  await rm(join(folder, MARKER_FILE), { force: true });
}

export async function markRestore({ path }: DataFolder): Promise<void> {
  await writeFile(join(path, RESTORE_MARKER_FILE), '');
}

export async function unmarkRestore({ path }: Pick<DataFolder, 'path'>): Promise<void> {
  await rm(join(path, RESTORE_MARKER_FILE), { force: true });
}

export async function isRestoreUnfinished({ path }: DataFolder): Promise<boolean> {
  return exists(join(path, RESTORE_MARKER_FILE));
}

export async function assertRestored(folder: DataFolder): Promise<void> {
  const { path } = folder;
  if (await isRestoreUnfinished(folder))
    throw new EmbeddedDatabaseError(
      `A restore into the data folder ${path} was interrupted. Run it again, or delete ${join(path, RESTORE_MARKER_FILE)} to use the partly restored database.`,
    );
}

/**
 * Ignores hidden files, `lost+found`, and files that an interrupted start or restore leaves behind.
 */
async function isEmpty(folder: string): Promise<boolean> {
  const ignoredFiles =
    /^(?:lost\+found$|\.|lock\b|programs-|postgresql\.log$|loopback\.json$|restore-unfinished$|.*\.making$)/;
  return (await readdir(folder)).every((name) => ignoredFiles.test(name));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

/** The limit on macOS, the smallest of all systems. */
const MAX_SOCKET_PATH_BYTES = 103;
const MAX_SOCKET_NAME_BYTES = 60;

/**
 * Returns the path of the folder, or of a temporary symbolic link if that is too long for a socket.
 */
export async function shortenPath(
  folder: string,
): Promise<{ path: string; release: () => Promise<void> }> {
  if (Buffer.byteLength(folder) + MAX_SOCKET_NAME_BYTES <= MAX_SOCKET_PATH_BYTES)
    return { path: folder, release: () => Promise.resolve() };
  const linkFolder = await mkdtemp(join(tmpdir(), 'nameplate-'));
  await symlink(await realpath(folder), join(linkFolder, 'd'));
  return {
    path: join(linkFolder, 'd'),
    release: () => rm(linkFolder, { recursive: true, force: true }),
  };
}
