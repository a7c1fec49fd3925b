import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { entryOf, Manifest, MANIFEST } from './manifest.ts';
import type { Source } from './source.ts';

/** A file is no backup, or is damaged; the message is a sentence that says which. */
export class BadArchiveError extends Error {
  override readonly name = 'BadArchiveError';
}

/** A backup that is open. */
export interface Archive extends Source, Disposable {
  manifest: Manifest;
}

/** Opens a backup; throws a `BadArchiveError` if it is none, or was cut off. */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await openZip(file);
  try {
    const entries = await listEntries(zip);
    const read = (name: string) => readEntry(zip, entries.get(name), name);
    const manifest = parse(await text(read(MANIFEST)));
    const { migrations, partitions, tables, sequences } = manifest;
    const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]));
    return {
      manifest,
      migrations,
      partitions,
      tables,
      read: (table) => read(entryOf(table)),
      totals: () => Promise.resolve({ rows, sequences }),
      [Symbol.dispose]: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
    throw new BadArchiveError(`${file} is no backup, or was cut off.`, { cause });
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (cause) {
    throw new BadArchiveError('The backup is damaged.', { cause });
  }
  return entries;
}

/** Reads what an entry holds, and throws if it is not what was written. */
async function* readEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  name: string,
): AsyncGenerator<Buffer> {
  if (entry === undefined) throw new BadArchiveError(`The file is no backup: it has no ${name}.`);
  let sum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (cause) {
    throw new BadArchiveError(`The backup is damaged, in ${name}.`, { cause });
  }
  if (sum !== entry.crc32) throw new BadArchiveError(`The backup is damaged, in ${name}.`);
}

function parse(json: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(json));
  } catch (cause) {
    throw new BadArchiveError(
      'The file is no backup of Nameplate, or one of a later version that this one cannot read.',
      { cause },
    );
  }
}
