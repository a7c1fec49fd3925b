import { pipeline } from 'node:stream/promises';
import { writeArchive } from '#db/backup/archive.ts';
import { connectForCopy } from '#db/backup/connection.ts';
import { NoTablesError, takeSnapshot } from '#db/backup/snapshot.ts';
import type { SourceSummary } from '#db/backup/source.ts';
import type { Executor } from '#db/connections/handles.ts';
import { saveLastBackup } from '#db/queries/last-backup.ts';
import { openDraft } from '#server/platform/draft-file.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { CommandFailedError } from '../command-failed.ts';
import { withDatabaseErrors, openForCommand, printToStderr } from '../open-database.ts';

export interface Backup extends AsyncDisposable {
  write: (version: string) => Promise<{ bytes: number; rows: SourceSummary['rows'] } | void>;
}

/** Without a file, the backup goes to standard output. */
export async function openBackup(
  file: { name: string; replace: boolean } | undefined,
): Promise<Backup> {
  const config = loadConfig(process.env, { isCommand: true });
  await using resources = new AsyncDisposableStack();
  const draft = file && resources.use(await openDraft(file.name, file));
  const { db, connection } = await withDatabaseErrors(config, async () => {
    const database = await openForCommand(config);
    resources.defer(() => database.close());
    return { db: database.db, connection: resources.use(await connectForCopy(database.url)) };
  });
  const ownedResources = resources.move();
  return {
    write: async (version) => {
      const snapshot = await takeSnapshot(connection).catch((error: unknown) => {
        throw error instanceof NoTablesError ? new CommandFailedError(error.message) : error;
      });
      const archive = writeArchive(snapshot, version);
      if (draft === undefined) {
        // Keep standard output open for later writes.
        await pipeline(archive, process.stdout, { end: false });
        await saveBackupTime(db);
        return;
      }
      const bytes = await draft.write(archive);
      await saveBackupTime(db);
      return { bytes, rows: (await snapshot.readSummary()).rows };
    },
    [Symbol.asyncDispose]: () => ownedResources.disposeAsync(),
  };
}

/** Prints a failure, for example on a standby, but does not throw: the backup is complete. */
async function saveBackupTime(db: Executor): Promise<void> {
  try {
    await saveLastBackup(db);
  } catch (error) {
    printToStderr(
      `The backup is complete, but its time could not be stored for status and monitoring (${(error as Error).message}).`,
    );
  }
}
