import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

export const MEMORY_FOLDER = '/dev/shm';
/** Tests have half of it there at most. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * A folder in memory, where the thousands of files of databases come and go faster than on a disk;
 * undefined where there is none, or where it is small.
 */
export function memoryFolder(): string | undefined {
  if (process.platform !== 'linux' || process.availableMemory() < 2 * ROOM_BYTES) return undefined;
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    const mount = mounts.find((line) => line.split(' ')[1] === MEMORY_FOLDER);
    // PostgreSQL's programs are copied there for users who cannot reach them.
    if (mount === undefined || mount.includes('noexec')) return undefined;
    return bavail * bsize >= ROOM_BYTES ? MEMORY_FOLDER : undefined;
  } catch {
    return undefined;
  }
}
