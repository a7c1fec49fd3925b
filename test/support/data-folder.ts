import { execFile } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { eventually } from './eventually.ts';
import './provided.ts';
import { startServer, temporaryFolder } from './server-process.ts';

/** The folder that others are copies of. */
let original: Promise<string> | undefined;

/** A data folder that a server has made and left, with its first account; gone after the test. */
export async function dataFolder(): Promise<string> {
  original ??= makeOriginal();
  const copy = join(await temporaryFolder(), 'data');
  // As root the database belongs to another user: Node's own copy would take it away from that one.
  await promisify(execFile)('cp', ['-a', await original, copy]);
  return copy;
}

/** One of the processes makes it, the others wait until it is done. */
async function makeOriginal(): Promise<string> {
  const folder = join(inject('folder'), 'original');
  const DATA_DIR = join(folder, 'data');
  const done = join(folder, 'done');
  try {
    await mkdir(folder, { mode: 0o711 });
  } catch {
    await eventually(() => access(done));
    return DATA_DIR;
  }
  const server = await startServer({ DATA_DIR });
  server.signal('SIGTERM');
  await server.exit;
  await writeFile(done, '');
  return DATA_DIR;
}
