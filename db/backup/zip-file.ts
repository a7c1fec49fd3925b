import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** The file has another format, is damaged, or was created by a newer version. */
export class InvalidArchiveError extends Error {
  override readonly name = 'InvalidArchiveError';
}

interface OpenZipFile extends Disposable {
  /** Throws an `InvalidArchiveError` if the entry is missing or damaged. */
  read: (name: string) => AsyncGenerator<Buffer>;
}

export async function openZipFile(file: string): Promise<OpenZipFile> {
  const zip = await open(file);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (cause) {
    zip.close();
    throw new InvalidArchiveError(`${file} is damaged.`, { cause });
  }
  return {
    read: (name) => readEntry(zip, entries.get(name), { file, name }),
    [Symbol.dispose]: () => zip.close(),
  };
}

async function open(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
    throw new InvalidArchiveError(`${file} is not a ZIP file, or is incomplete.`, { cause });
  }
}

async function* readEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  { file, name }: { file: string; name: string },
): AsyncGenerator<Buffer> {
  if (entry === undefined) throw new InvalidArchiveError(`${file} has no ${name}.`);
  let sum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (cause) {
    throw new InvalidArchiveError(`${file} is damaged, in ${name}.`, { cause });
  }
  if (sum !== entry.crc32) throw new InvalidArchiveError(`${file} is damaged, in ${name}.`);
}
