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
/** The process that created a run folder listens on this socket until it exits. */
const OWNER_SOCKET = 'owner';

/** The `globalSetup` of vitest projects that need no database. */
export async function setup(): Promise<void> {
  await createRunFolder();
}

/**
 * Creates a folder for the temporary files of this process and its children. A detached janitor
 * process deletes it after this process exits. If the janitor is killed, the next run deletes it.
 */
export async function createRunFolder(): Promise<string> {
  await removeAbandonedFolders();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  // If tests run as root, embedded databases run as another user, who needs access.
  await chmod(folder, 0o711);
  const owner = createServer().listen(join(folder, OWNER_SOCKET)).unref();
  await once(owner, 'listening');
  process.env['TMPDIR'] = folder;
  // The janitor waits for its stdin to close, which happens even if this process is killed.
  const janitor = spawn(process.execPath, [JANITOR, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  janitor.unref();
  (janitor.stdin as Socket).unref();
  return folder;
}

async function removeAbandonedFolders(): Promise<void> {
  // Search both: if abandoned folders have filled the memory folder, this run uses the disk, and would
  // never clean the memory folder up.
  for (const parent of new Set([tmpdir(), MEMORY_FOLDER])) {
    const names = await readdir(parent).catch(() => []);
    for (const name of names.filter((entry) => entry.startsWith(PREFIX))) {
      const folder = join(parent, name);
      if (await isAbandoned(folder))
        await once(spawn(process.execPath, [JANITOR, folder], { stdio: 'ignore' }), 'exit');
    }
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const socket = connect(join(folder, OWNER_SOCKET));
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
