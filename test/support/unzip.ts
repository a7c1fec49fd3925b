import { text } from 'node:stream/consumers';
import { type Entry, fromBuffer } from 'yauzl';

/** Returns the text files of a zip archive by name, in archive order. */
export function unzip(archive: Buffer): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const texts = new Map<string, string>();
    fromBuffer(archive, { lazyEntries: true }, (failure, zip) => {
      if (failure) return reject(failure);
      zip.on('error', reject);
      zip.on('end', () => resolve(texts));
      zip.on('entry', (entry: Entry) => {
        zip.openReadStream(entry, (error, stream) => {
          if (error) return reject(error);
          text(stream).then((content) => {
            texts.set(entry.fileName, content);
            zip.readEntry();
          }, reject);
        });
      });
      zip.readEntry();
    });
  });
}
