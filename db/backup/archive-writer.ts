import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { entryOf, Manifest, MANIFEST } from './manifest.ts';
import type { Source } from './source.ts';

const ABOUT =
  'A backup of Nameplate; nameplate restore brings it back. It holds personal data, and hashes of keys. The rows of each table are in the text format of COPY of PostgreSQL.';

/** All that a source has as a zip archive, read while it is written; what fails ends it with an error. */
export function writeArchive(source: Source, version: string): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const add = (name: string, chunks: () => AsyncIterable<Buffer>) =>
    zip.addReadStreamLazy(name, { mode: 0o600 }, (begin) => {
      const content = Readable.from(chunks(), { objectMode: false });
      content.on('error', (error) => zip.emit('error', error));
      begin(null, content);
    });
  for (const table of source.tables) add(entryOf(table), () => source.read(table));
  const madeAt = new Date();
  // Last, since only then it is known what was read.
  add(MANIFEST, async function* () {
    yield Buffer.from(`${JSON.stringify(await describe(source, version, madeAt), null, 2)}\n`);
  });
  zip.end();
  return output;
}

async function describe(source: Source, version: string, madeAt: Date): Promise<Manifest> {
  const { migrations, partitions, tables } = source;
  const { rows, sequences } = await source.totals();
  return {
    format: 'nameplate backup 1',
    about: ABOUT,
    version,
    made_at: madeAt.toISOString(),
    migrations,
    partitions,
    tables: tables.map(({ name, columns }) => ({ name, columns, rows: rows[name]! })),
    sequences,
  };
}
