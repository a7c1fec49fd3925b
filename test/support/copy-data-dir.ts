import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { eventually } from './eventually.ts';
import './vitest-context.ts';
import { startServer, createTempFolder } from './server-process.ts';

let template: Promise<string> | undefined;

/**
 * Returns a copy of a data folder that a server has initialized with its first account. The copy is
 * deleted after the test.
 */
export async function copyDataDir(): Promise<string> {
  template ??= createFolderOnce(join(inject('tempDir'), 'template'), createTemplate);
  const copy = join(await createTempFolder(), 'data');
  // If tests run as root, another user owns the database files. Unlike `cp -a`, Node's `cp` does not
  // keep the owner.
  await promisify(execFile)('cp', ['-a', join(await template, 'data'), copy]);
  return copy;
}

async function createTemplate(folder: string): Promise<void> {
  const server = await startServer({ DATA_DIR: join(folder, 'data') });
  server.signal('SIGTERM');
  await server.exited;
}

/** Creates a folder in only one worker process. The others wait, and fail if the creation fails. */
async function createFolderOnce(
  folder: string,
  create: (folder: string) => Promise<void>,
): Promise<string> {
  const resultFile = join(folder, 'result');
  const isFirst = await mkdir(folder, { mode: 0o711 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (!isFirst) {
    const failure = await eventually(() => readFile(resultFile, 'utf8'));
    if (failure !== '') throw new Error(`${folder} was not created: ${failure}`);
    return folder;
  }
  const failure = await create(folder).then(
    () => undefined,
    (error: Error) => error,
  );
  await writeFile(`${resultFile}.partial`, failure?.message ?? '');
  await rename(`${resultFile}.partial`, resultFile);
  if (failure) throw failure;
  return folder;
}
