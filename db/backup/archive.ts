import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import type { Source } from './source.ts';
import { InvalidArchiveError, openZipFile } from './zip-file.ts';

const identifier = z.string().min(1).max(63);

const Manifest = z.object({
  format: z.literal('nameplate backup 1'),
  about: z.string(),
  /** Version of Nameplate that wrote the backup. */
  version: z.string(),
  made_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  partitions: z.array(
    z.object({
      name: identifier.regex(/^metrics_\w+$/),
      from: z.iso.datetime(),
      to: z.iso.datetime(),
    }),
  ),
  tables: z.array(
    z.object({
      // Kysely's tables say which migrations the database has.
      name: identifier.regex(/^(?!kysely_)/),
      columns: z.array(identifier).min(1),
      rows: z.int().nonnegative(),
    }),
  ),
  sequences: z.array(z.object({ name: identifier, value: z.string().regex(/^\d+$/) })),
});
export type Manifest = z.infer<typeof Manifest>;

const MANIFEST_FILE = 'manifest.json';

function tableFile(table: { name: string }): string {
  return `tables/${table.name}`;
}

export interface Archive extends Source, Disposable {
  manifest: Manifest;
}

/** Throws an `InvalidArchiveError` if the file is not a backup of this format or is incomplete. */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await openZipFile(file);
  try {
    const manifest = parseManifest(await text(zip.read(MANIFEST_FILE)));
    const { migrations, partitions, tables, sequences } = manifest;
    const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]));
    return {
      manifest,
      migrations,
      partitions,
      tables,
      read: (table) => zip.read(tableFile(table)),
      readSummary: () => Promise.resolve({ rows, sequences }),
      [Symbol.dispose]: () => zip[Symbol.dispose](),
    };
  } catch (error) {
    zip[Symbol.dispose]();
    throw error;
  }
}

function parseManifest(json: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(json));
  } catch (cause) {
    throw new InvalidArchiveError(
      'The file is not a Nameplate backup, or it was created by a newer version.',
      { cause },
    );
  }
}

const DESCRIPTION =
  'A Nameplate backup. Restore it with nameplate restore. It contains personal data and hashes of API keys. The rows of each table are in the text format of PostgreSQL COPY.';

/** Streams the source as a zip archive. A read error destroys the stream. */
export function writeArchive(source: Source, version: string): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const addFile = (name: string, chunks: () => AsyncIterable<Buffer>) =>
    zip.addReadStreamLazy(name, { mode: 0o600 }, (begin) => {
      const content = Readable.from(chunks(), { objectMode: false });
      content.on('error', (error) => zip.emit('error', error));
      begin(null, content);
    });
  for (const table of source.tables) addFile(tableFile(table), () => source.read(table));
  const madeAt = new Date();
  // The manifest is written last, because it contains the row counts.
  addFile(MANIFEST_FILE, async function* () {
    yield Buffer.from(`${JSON.stringify(await buildManifest(source, version, madeAt), null, 2)}\n`);
  });
  zip.end();
  return output;
}

async function buildManifest(source: Source, version: string, madeAt: Date): Promise<Manifest> {
  const { migrations, partitions, tables } = source;
  const { rows, sequences } = await source.readSummary();
  return {
    format: 'nameplate backup 1',
    about: DESCRIPTION,
    version,
    made_at: madeAt.toISOString(),
    migrations,
    partitions,
    tables: tables.map(({ name, columns }) => ({ name, columns, rows: rows[name]! })),
    sequences,
  };
}
