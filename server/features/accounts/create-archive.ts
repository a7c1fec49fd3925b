import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type ArchiveFile, jsonFile } from '#server/platform/archive-file.ts';

/** Streams a zip archive. Most of its files are read from the database only when they are sent. */
export function createArchive(accountId: string, files: readonly ArchiveFile[]): Readable {
  const manifest = {
    account_id: accountId,
    made_at: new Date(),
    about:
      'All data that Nameplate stores for this account. Nameplate does not store the secrets of API keys, sessions and links, so the archive does not contain them.',
    files: files.map(({ name, description }) => ({ name, what: description })),
  };
  return createZip([jsonFile('manifest.json', '', async () => manifest), ...files]);
}

/** If a file cannot be read, the stream is destroyed with the error. */
function createZip(files: readonly ArchiveFile[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, read } of files)
    zip.addReadStreamLazy(name, (start) => {
      const file = Readable.from(read());
      file.once('error', (error) => output.destroy(error));
      start(null, file);
    });
  zip.end();
  return output;
}
