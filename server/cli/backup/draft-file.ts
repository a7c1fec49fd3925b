import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { CommandFailedError } from '../command-failed.ts';

/** Name of a file that is not whole yet, with the process that writes it. */
const DRAFT = /\.(\d+)\.nameplate-partial$/;

/** A file that has its name when it is whole, and is gone otherwise; only its owner may read it. */
export interface DraftFile extends AsyncDisposable {
  /** Writes all of it and gives it its name; returns its size in bytes. */
  write: (content: Readable) => Promise<number>;
}

/** Begins a file; `replace` says whether it may take the place of another one. */
export async function openDraft(
  name: string,
  { replace }: { replace: boolean },
): Promise<DraftFile> {
  const file = resolve(name);
  if (!replace && (await isThere(file))) throw isTaken(name);
  await removeAbandoned(dirname(file));
  const draft = `${file}.${process.pid}.nameplate-partial`;
  const handle = await open(draft, 'wx', 0o600);
  // A file that was kept has another name by then.
  const discard = async () => {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
  };
  return {
    write: async (content) => {
      await handle.writeFile(content);
      await handle.sync();
      const { size } = await handle.stat();
      if (replace) await rename(draft, file);
      else await link(draft, file).catch(refuseTaken(name));
      await syncFolder(dirname(file));
      return size;
    },
    [Symbol.asyncDispose]: discard,
  };
}

/** Removes what processes left in a folder that were killed while they wrote a file. */
async function removeAbandoned(folder: string): Promise<void> {
  // A folder that cannot be read is reported when the file is opened.
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = DRAFT.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

/** Whether another process has an id; in a container, this one may have that of a killed one. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Syncs a folder, so that a file has its name also after a power cut. */
async function syncFolder(path: string): Promise<void> {
  // Windows knows no such thing.
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function refuseTaken(name: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw error.code === 'EEXIST' ? isTaken(name) : error;
  };
}

function isTaken(name: string): CommandFailedError {
  return new CommandFailedError(
    `${name} already exists; choose another name, or add --force to replace it.`,
  );
}
