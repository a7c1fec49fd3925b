import { execFile, spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Runs PostgreSQL, which refuses to run as root, where there is such a user. */
const OWN_USER = 'nameplate';
/** Takes its place where there is none: every Unix has this user. */
const NOBODY = 'nobody';

/** The user that PostgreSQL runs as where that is not the user of this process. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * As whom PostgreSQL has to run on a data folder: undefined for the user of this process. As root it
 * is the owner of the folder, or `nameplate`, or else `nobody`, where the folder is root's or does not
 * exist.
 */
export async function findSystemUser(folder: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const found = await stat(folder).catch(() => undefined);
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid };
  return findUser(OWN_USER).catch(() => findUser(NOBODY));
}

/** Whether it is the user that other services run as, too. */
export async function isNobody(user: SystemUser): Promise<boolean> {
  return user.uid === (await findUser(NOBODY)).uid;
}

async function findUser(name: string): Promise<SystemUser> {
  const id = async (flag: '-u' | '-g') =>
    Number((await promisify(execFile)('id', [flag, name])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Whether a user can go through a folder and every folder above it. */
export function canEnter(user: SystemUser, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0;
}
