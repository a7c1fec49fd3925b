import { execFile } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import './provided.ts';
import { startServer, temporaryFolder } from './server-process.ts';

/** The folder that others are copies of, in each process that runs tests. */
let original: Promise<string> | undefined;

/** A data folder that a server has made and left, with its first account; gone after the test. */
export async function dataFolder(): Promise<string> {
  original ??= makeOriginal();
  const copy = join(await temporaryFolder(), 'data');
  // As root the database belongs to another user: Node's own copy would take it away from that one.
  await promisify(execFile)('cp', ['-a', await original, copy]);
  return copy;
}

async function makeOriginal(): Promise<string> {
  const folder = await mkdtemp(join(inject('folder'), 'original-'));
  await chmod(folder, 0o711);
  const DATA_DIR = join(folder, 'data');
  const server = await startServer({ DATA_DIR });
  server.signal('SIGTERM');
  await server.exit;
  return DATA_DIR;
}
