import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

export const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Returns a folder in memory, where databases are created and deleted faster than on a disk. Returns
 * undefined if no such folder can be used, or if too little memory is free.
 */
export function findMemoryFolder(): string | undefined {
  if (process.platform !== 'linux' || process.availableMemory() < 2 * MIN_FREE_BYTES)
    return undefined;
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    const mount = mounts.find((line) => line.split(' ')[1] === MEMORY_FOLDER);
    // Tests copy PostgreSQL's binaries to the folder if the database user cannot read the originals.
    if (mount === undefined || mount.includes('noexec')) return undefined;
    return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : undefined;
  } catch {
    return undefined;
  }
}
