import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Kysely } from 'kysely';
import { writeArchive } from '#db/backup/archive.ts';
import { connectForCopy } from '#db/backup/connection.ts';
import type { Totals } from '#db/backup/source.ts';
import { saveLastBackup } from '#db/queries/last-backup.ts';
import type { Database } from '#db/schema.ts';
import { loadConfig } from '#server/settings/config.ts';
import { explained, openForCommand, say } from '../open-database.ts';
import { openDraft } from './draft-file.ts';
import { readSnapshot } from './read-snapshot.ts';

/** A backup that is about to be written. */
export interface Backup extends AsyncDisposable {
  /** Writes the file; undefined of standard output. */
  write: (version: string) => Promise<{ bytes: number; rows: Totals['rows'] } | void>;
}

/** Opens the database that the settings name, and the file for its backup; without one it is standard output. */
export async function openBackup(
  file: { name: string; replace: boolean } | undefined,
): Promise<Backup> {
  const config = loadConfig(process.env);
  await using opened = new AsyncDisposableStack();
  const draft = file && opened.use(await openDraft(file.name, file));
  const { db, connection } = await explained(config, async () => {
    const database = await openForCommand(config, false);
    opened.defer(() => database.close());
    return { db: database.db, connection: opened.use(await connectForCopy(database.url)) };
  });
  const everything = opened.move();
  return {
    write: async (version) => {
      const snapshot = await readSnapshot(connection);
      const archive = writeArchive(snapshot, version);
      if (draft === undefined) {
        await print(archive);
        await saveTime(db);
        return;
      }
      const bytes = await draft.write(archive);
      await saveTime(db);
      return { bytes, rows: (await snapshot.totals()).rows };
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

/** Stores the time of a backup. If this fails, as on a standby server, the backup is still complete. */
async function saveTime(db: Kysely<Database>): Promise<void> {
  try {
    await saveLastBackup(db);
  } catch (error) {
    say(
      `The backup is complete, but its time could not be stored for status and monitoring. (${(error as Error).message})`,
    );
  }
}

async function print(archive: Readable): Promise<void> {
  // Standard output is not ours to end.
  await pipeline(archive, process.stdout, { end: false });
}
