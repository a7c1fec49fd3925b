import { spawn } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const JANITOR = fileURLToPath(new URL('./janitor.ts', import.meta.url));

/**
 * Makes the folder that holds all temporary files of this process and of those that it starts. When
 * the process ends, in whatever way, what is left is removed.
 */
export async function makeRunFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-'));
  // As root private databases run as another user, who must get through.
  await chmod(folder, 0o711);
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
