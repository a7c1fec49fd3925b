import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MEMORY_FOLDER } from './memory-folder.ts';

const JANITOR = fileURLToPath(new URL('./janitor.ts', import.meta.url));
const PREFIX = 'nameplate-run-';
/** Socket in a run folder that its process listens on: nobody does once the process is gone. */
const OWNER = 'owner';

/** For projects that need nothing else before their tests. */
export async function setup(): Promise<void> {
  await makeRunFolder();
}

/**
 * Makes the folder that holds all temporary files of this process and of those that it starts. When
 * the process ends, in whatever way, what is left is removed: by its janitor, or, if that was killed
 * as well, by the next run.
 */
export async function makeRunFolder(): Promise<string> {
  await removeAbandonedFolders();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  // As root private databases run as another user, who must get through.
  await chmod(folder, 0o711);
  const owner = createServer().listen(join(folder, OWNER)).unref();
  await once(owner, 'listening');
  process.env['TMPDIR'] = folder;
  // The system closes the pipe of a process that was killed, too.
  const janitor = spawn(process.execPath, [JANITOR, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  janitor.unref();
  (janitor.stdin as Socket).unref();
  return folder;
}

async function removeAbandonedFolders(): Promise<void> {
  // This run may be on the disk because abandoned folders fill the memory.
  for (const parent of new Set([tmpdir(), MEMORY_FOLDER])) {
    const names = await readdir(parent).catch(() => []);
    for (const name of names.filter((found) => found.startsWith(PREFIX))) {
      const folder = join(parent, name);
      if (await isAbandoned(folder))
        await once(spawn(process.execPath, [JANITOR, folder], { stdio: 'ignore' }), 'exit');
    }
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const socket = connect(join(folder, OWNER));
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
