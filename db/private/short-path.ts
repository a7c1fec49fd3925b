import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Longest path of a socket in bytes, on the strictest system. */
const MAX_PATH = 103;
/** Longest name behind the folder, in characters. */
const LONGEST_NAME = 60;

/** A folder under a name that is short enough for the path of a socket, and how to let go of it. */
export interface ShortPath {
  path: string;
  release: () => Promise<void>;
}

/** The folder itself, or a link to it in the temporary folder that lasts until it is released. */
export async function shortPathOf(folder: string): Promise<ShortPath> {
  if (Buffer.byteLength(folder) + LONGEST_NAME <= MAX_PATH)
    return { path: folder, release: () => Promise.resolve() };
  const detour = await mkdtemp(join(tmpdir(), 'nameplate-'));
  await symlink(await realpath(folder), join(detour, 'd'));
  return { path: join(detour, 'd'), release: () => rm(detour, { recursive: true, force: true }) };
}
