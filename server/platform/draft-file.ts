import { existsSync } from 'node:fs';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The number is the id of the writing process. */
const DRAFT_NAME = /\.(\d+)\.nameplate-partial$/;

/** Answers of FUSE, exFAT and network file systems to what they cannot do: link files or sync folders. */
const UNSUPPORTED = /^(?:EPERM|EACCES|EINVAL|EBADF|EISDIR|ENOSYS|ENOTSUP|EOPNOTSUPP)$/;

/** The message is for the user of a command. */
export class FileExistsError extends Error {
  override readonly name = 'FileExistsError';

  constructor(file: string) {
    super(`${file} already exists; choose another name, or add --force to replace it.`);
  }
}

/** A file that gets its final name only when complete. Only its owner can read it. */
export interface DraftFile extends AsyncDisposable {
  /** `check` reads the file before it gets its final name. Resolves to its size in bytes. */
  write: (
    content: AsyncIterable<Buffer>,
    check?: (path: string) => Promise<void>,
  ) => Promise<number>;
}

export async function openDraft(
  name: string,
  { replace }: { replace: boolean },
): Promise<DraftFile> {
  const file = resolve(name);
  if (!replace && existsSync(file)) throw new FileExistsError(name);
  await removeAbandoned(dirname(file));
  const draft = `${file}.${process.pid}.nameplate-partial`;
  const handle = await open(draft, 'wx', 0o600);
  // A successful write leaves no draft, or only a second link to the file.
  const discard = async () => {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
  };
  return {
    write: async (content, check) => {
      await handle.writeFile(content);
      await handle.sync();
      await check?.(draft);
      const { size } = await handle.stat();
      if (replace) await rename(draft, file);
      else
        await renameToNew(draft, file).catch((error: NodeJS.ErrnoException) => {
          throw error.code === 'EEXIST' ? new FileExistsError(name) : error;
        });
      await syncFolder(dirname(file));
      return size;
    },
    [Symbol.asyncDispose]: discard,
  };
}

async function removeAbandoned(folder: string): Promise<void> {
  // If the folder does not exist, opening the draft reports the error.
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = DRAFT_NAME.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

/** This process does not count: in a container, a killed process may have had the same id. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Unlike `rename`, fails with EEXIST instead of replacing a file. May leave `path` as a second link. */
async function renameToNew(path: string, newPath: string): Promise<void> {
  const isLinked = await link(path, newPath).then(() => true, ignoreUnsupported);
  if (isLinked) return;
  await (await open(newPath, 'wx', 0o600)).close();
  await rename(path, newPath).catch(async (error: unknown) => {
    await rm(newPath, { force: true });
    throw error;
  });
}

/** Makes the rename or link survive a power failure, if the file system can do that. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    await using folder = await open(path);
    await folder.sync();
  } catch (error) {
    ignoreUnsupported(error as NodeJS.ErrnoException);
  }
}

function ignoreUnsupported(error: NodeJS.ErrnoException): void {
  if (!UNSUPPORTED.test(error.code ?? '')) throw error;
}
