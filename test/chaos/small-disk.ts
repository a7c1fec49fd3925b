import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The disk is a tmpfs, so this is the maximum memory it uses. */
const SIZE_MB = 1024;
const BALLAST = 'ballast';

const mounted = new Set<string>();

/** Mounts a small disk at an empty folder. */
export async function mountSmallDisk(folder: string): Promise<() => Promise<void>> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0700`, 'tmpfs', folder]);
  mounted.add(folder);
  return async () => {
    await run('umount', [folder]);
    mounted.delete(folder);
  };
}

/** Returns why small disks cannot be mounted on this machine, or undefined if they can. */
export async function findSmallDiskProblem(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-disk-'));
  try {
    const unmount = await mountSmallDisk(folder);
    await unmount();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Fills the disk of a folder. */
export async function fillDisk(folder: string): Promise<void> {
  const ballast = await open(join(folder, BALLAST), 'w');
  const isFull = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error;
    return true;
  };
  try {
    for (const size of [1_048_576, 4_096]) {
      const chunk = Buffer.alloc(size);
      while ((await ballast.writeFile(chunk).catch(isFull)) !== true);
    }
  } finally {
    await ballast.close();
  }
}

export async function emptyDisk(folder: string): Promise<void> {
  await rm(join(folder, BALLAST), { force: true });
}

/** Unmounts what an error or a signal left mounted. */
export async function unmountAll(): Promise<void> {
  for (const folder of mounted) {
    await run('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true, force: true });
  }
}
