import { execFile, spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** PostgreSQL refuses to run as root. Every Unix has this user, so none has to be made. */
const UNPRIVILEGED = 'nobody';

/** The user that PostgreSQL runs as where that is not the user of this process. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * As whom PostgreSQL has to run on a data folder: undefined for the user of this process. As root it
 * is the owner of the folder, or `nobody` where the folder is root's or does not exist.
 */
export async function findSystemUser(folder: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const found = await stat(folder).catch(() => undefined);
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid };
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function idOf(flag: '-u' | '-g'): Promise<number> {
  const { stdout } = await promisify(execFile)('id', [flag, UNPRIVILEGED]);
  return Number(stdout);
}

/** Whether a user can go through a folder and every folder above it. */
export function canEnter(user: SystemUser, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0;
}
