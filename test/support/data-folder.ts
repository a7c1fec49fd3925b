import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
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
  original ??= makeOnce(join(inject('folder'), 'original'), makeOriginal);
  const copy = join(await temporaryFolder(), 'data');
  // As root the database belongs to another user: Node's own copy would take it away from that one.
  await promisify(execFile)('cp', ['-a', join(await original, 'data'), copy]);
  return copy;
}

async function makeOriginal(folder: string): Promise<void> {
  const server = await startServer({ DATA_DIR: join(folder, 'data') });
  server.signal('SIGTERM');
  await server.exit;
}

/** Makes a folder in one of the processes, for which the others wait; if it fails, it fails for all. */
export async function makeOnce(
  folder: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const outcome = join(folder, 'outcome');
  const isFirst = await mkdir(folder, { mode: 0o711 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (!isFirst) {
    const failure = await eventually(() => readFile(outcome, 'utf8'));
    if (failure !== '') throw new Error(`${folder} was not made: ${failure}`);
    return folder;
  }
  const failure = await make(folder).then(
    () => undefined,
    (error: Error) => error,
  );
  await writeFile(`${outcome}.making`, failure?.message ?? '');
  await rename(`${outcome}.making`, outcome);
  if (failure) throw failure;
  return folder;
}
