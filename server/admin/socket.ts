import { chmod, mkdtemp, realpath, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The socket's name in the data folder. */
export const SOCKET = 'admin.sock';

/** Longest path of a socket in bytes, on the strictest system; what does not fit gets a shorter name. */
const MAX_PATH = 103;

/**
 * Listens on a socket in the data folder that its owner alone can use, in place of one that a dead
 * process left. Only the process that holds the folder's lock may call it. Returns how to stop.
 */
export async function listenOnSocket(
  app: FastifyInstance,
  dataDir: string,
): Promise<() => Promise<void>> {
  const socket = join(dataDir, SOCKET);
  // Made in a folder that is private from the beginning, and moved when its mode is set.
  const made = await mkdtemp(join(dataDir, 'admin-'));
  await withShortPath(made, SOCKET, (path) =>
    app.listen({ path, listenTextResolver: () => 'administration is listening' }),
  );
  await chmod(join(made, SOCKET), 0o600);
  await rename(join(made, SOCKET), socket);
  await rmdir(made);
  return async () => {
    await rm(socket, { force: true });
    await app.close();
  };
}

/** Calls `use` with a path of a file in a folder that is short enough for a socket. */
export async function withShortPath<T>(
  folder: string,
  file: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, file);
  if (Buffer.byteLength(path) <= MAX_PATH) return use(path);
  const detour = await mkdtemp(join(tmpdir(), 'nameplate-'));
  try {
    await symlink(await realpath(folder), join(detour, 'd'));
    return await use(join(detour, 'd', file));
  } finally {
    await rm(detour, { recursive: true });
  }
}
