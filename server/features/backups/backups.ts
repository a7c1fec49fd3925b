import { type FileHandle, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupError } from '#contract/shared/backup-errors.ts';
import { utcDay } from '#contract/shared/durations.ts';
import type { Archive } from '#db/backup/archive.ts';
import { connectForCopy } from '#db/backup/connection.ts';
import { takeSnapshot } from '#db/backup/snapshot.ts';
import type { Core } from '#server/core.ts';
import { openDraft } from '#server/platform/draft-file.ts';
import type { Config } from '#server/platform/settings/config.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const KEPT_BACKUPS = 7;
/** All backups together use at most this share of the disk space that is free without them. */
const DISK_SHARE = 0.1;
const WITHOUT_METRICS = '-without-metrics';
const FILE_NAME = /^nameplate-(\d{4}-\d{2}-\d{2})(?:-without-metrics)?\.zip$/;
const ERRORS: Readonly<Record<string, BackupError>> = {
  ENOSPC: 'space',
  EDQUOT: 'space',
  EEXIST: 'file',
  ENOTDIR: 'file',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'readonly',
};

export interface BackupFile {
  name: string;
  bytes: number;
  madeAt: Date;
}

class OutOfSpaceError extends Error {
  override readonly name = 'OutOfSpaceError';
}

/** One file per day (UTC) in a folder of this server. */
export class Backups {
  readonly folder: string;
  readonly #url: string;
  readonly #readFreeBytes: (folder: string) => Promise<number>;

  /** `url` is the connection string of the database. */
  constructor(folder: string, url: string, readFreeBytes = readFreeDiskBytes) {
    this.folder = folder;
    this.#url = url;
    this.#readFreeBytes = readFreeBytes;
  }

  /** Newest first. Empty if the folder does not exist yet. */
  async list(): Promise<BackupFile[]> {
    const names = await readdir(this.folder).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => {
        const [, day] = FILE_NAME.exec(name) ?? [];
        if (day === undefined) return undefined;
        // The backup job may delete the file after `readdir`.
        const file = await stat(join(this.folder, name)).catch(() => undefined);
        return file && { name, day, bytes: file.size, madeAt: file.mtime };
      }),
    );
    const today = utcDay();
    return found
      .filter((file) => file !== undefined)
      .toSorted(
        (a, b) =>
          // A clock that was ahead dates backups in the future.
          Number(a.day > today) - Number(b.day > today) ||
          b.day.localeCompare(a.day) ||
          // A copy of an older backup has a new time.
          b.madeAt.getTime() - a.madeAt.getTime(),
      );
  }

  /**
   * Writes today's backup, reads it back, and deletes old ones. Metrics are left out if the backup
   * would not fit. A failed attempt leaves the folder as it was. With `keepOld`, deletes nothing.
   */
  async create(signal: AbortSignal, { keepOld = false } = {}): Promise<void> {
    await makeFolder(this.folder);
    const maxBytes = await this.#maxBytes(await this.list());
    await this.#write(maxBytes, signal).catch((error: unknown) => {
      if (!(error instanceof OutOfSpaceError)) throw error;
      return this.#write(maxBytes, signal, false);
    });
    if (!keepOld) await this.#deleteOld(maxBytes);
  }

  /** What there was no room for: the metrics in the last backup, or seven backups of its size. */
  async findShortage(): Promise<'metrics' | 'days' | undefined> {
    const files = await this.list();
    const [last] = files;
    if (last?.name.includes(WITHOUT_METRICS)) return 'metrics';
    const keepsAll = !last || last.bytes * KEPT_BACKUPS <= (await this.#maxBytes(files));
    return keepsAll ? undefined : 'days';
  }

  async #maxBytes(files: readonly BackupFile[]): Promise<number> {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return ((await this.#readFreeBytes(this.folder)) + bytes) * DISK_SHARE;
  }

  async #write(maxBytes: number, signal: AbortSignal, withMetrics = true): Promise<void> {
    const name = `nameplate-${utcDay()}${withMetrics ? '' : WITHOUT_METRICS}.zip`;
    await using draft = await openDraft(join(this.folder, name), { replace: true });
    await using connection = await connectForCopy(this.#url);
    // Imported here, because servers that make no backup need no ZIP library.
    const { openArchive, writeArchive } = await import('#db/backup/archive.ts');
    const snapshot = await takeSnapshot(connection, { withMetrics });
    const content = writeArchive(snapshot, packageJson.version);
    await draft.write(limitBytes(content, maxBytes, signal), async (path) => {
      using archive = await openArchive(path);
      await readBack(archive, signal);
    });
  }

  /** Resolves to undefined if there is no such backup. */
  async open(name: string): Promise<FileHandle | undefined> {
    if (!(await this.list()).some((file) => file.name === name)) return undefined;
    return open(join(this.folder, name));
  }

  /** Always keeps the newest. */
  async #deleteOld(maxBytes: number): Promise<void> {
    let bytes = 0;
    for (const [index, file] of (await this.list()).entries()) {
      bytes += file.bytes;
      if (index > 0 && (index >= KEPT_BACKUPS || bytes > maxBytes))
        await rm(join(this.folder, file.name), { force: true });
    }
  }
}

/** Returns undefined if `BACKUP_DIR` is `off`. */
export function createBackups({
  config: { BACKUP_DIR: folder, DATA_DIR },
  databaseUrl,
  dataDir = DATA_DIR,
}: { config: Pick<Config, 'BACKUP_DIR' | 'DATA_DIR'> } & Pick<Core, 'databaseUrl' | 'dataDir'>):
  | Backups
  | undefined {
  return folder === 'off'
    ? undefined
    : new Backups(folder ?? join(dataDir, 'backups'), databaseUrl);
}

/** Node's recursive `mkdir` never ends in folders that take no files, such as `/proc`. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  });
}

export function backupErrorOf(error: unknown): BackupError {
  if (error instanceof OutOfSpaceError) return 'space';
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const cause = ERRORS[code] ?? 'other';
  const isMissing = syscall === 'mkdir' && (cause === 'denied' || code === 'ENOENT');
  return isMissing ? 'missing' : cause;
}

async function* limitBytes(
  content: AsyncIterable<Buffer>,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    signal.throwIfAborted();
    bytes += chunk.length;
    if (bytes > maxBytes) throw new OutOfSpaceError('the backup is too large for the disk');
    yield chunk;
  }
}

/** Throws an `InvalidArchiveError` if a checksum is wrong. */
async function readBack(archive: Archive, signal: AbortSignal): Promise<void> {
  for (const table of archive.tables)
    await pipeline(archive.read(table), new Writable({ write: (...[, , done]) => done() }), {
      signal,
    });
}

async function readFreeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
