import { execFile, spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** PostgreSQL runs as this user, if it exists, instead of as root. */
const NAMEPLATE_USER = 'nameplate';
/** Exists on every Unix. */
const NOBODY = 'nobody';

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Returns the user to run PostgreSQL as, or undefined to run it as the current user. For root, this
 * is the folder's owner. If root owns the folder, it is `nameplate` or else `nobody`.
 */
export async function findSystemUser(folder: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const stats = await stat(folder).catch(() => undefined);
  if (stats && stats.uid !== 0) return { uid: stats.uid, gid: stats.gid };
  return getUser(NAMEPLATE_USER).catch(() => getUser(NOBODY));
}

export async function isNobody(user: SystemUser): Promise<boolean> {
  return user.uid === (await getUser(NOBODY)).uid;
}

async function getUser(name: string): Promise<SystemUser> {
  const id = async (flag: '-u' | '-g') =>
    Number((await promisify(execFile)('id', [flag, name])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Whether the user can traverse the folder and all its parents. */
export function canEnter(user: SystemUser, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0;
}
