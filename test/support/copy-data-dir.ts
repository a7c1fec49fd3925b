import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { eventually } from './eventually.ts';
import './vitest-context.ts';
import { startServer, createTempFolder } from './server-process.ts';

let original: Promise<string> | undefined;

/** Copies the data folder of a stopped server that has its first account. Removed after the test. */
export async function copyDataDir(): Promise<string> {
  original ??= createFolderOnce(join(inject('tempDir'), 'original'), makeOriginal);
  const copy = join(await createTempFolder(), 'data');
  // As root, the database files belong to another user. Node's `cp` would not keep that owner.
  await promisify(execFile)('cp', ['-a', join(await original, 'data'), copy]);
  return copy;
}

async function makeOriginal(folder: string): Promise<void> {
  const server = await startServer({ DATA_DIR: join(folder, 'data') });
  server.signal('SIGTERM');
  await server.exit;
}

/** Creates a folder in one worker process. The others wait for it, and fail if it fails. */
export async function createFolderOnce(
  folder: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const resultFile = join(folder, 'outcome');
  const isFirst = await mkdir(folder, { mode: 0o711 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (!isFirst) {
    const failure = await eventually(() => readFile(resultFile, 'utf8'));
    if (failure !== '') throw new Error(`${folder} was not made: ${failure}`);
    return folder;
  }
  const failure = await make(folder).then(
    () => undefined,
    (error: Error) => error,
  );
  await writeFile(`${resultFile}.partial`, failure?.message ?? '');
  await rename(`${resultFile}.partial`, resultFile);
  if (failure) throw failure;
  return folder;
}
