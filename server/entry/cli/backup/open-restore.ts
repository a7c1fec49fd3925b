import { type Manifest, openArchive } from '#db/backup/archive.ts';
import { connectForCopy } from '#db/backup/connection.ts';
import {
  copyIntoDatabase,
  type CopyResult,
  NotEmptyError,
  RowCountMismatchError,
} from '#db/backup/copy-into-database.ts';
import { InvalidArchiveError } from '#db/backup/zip-file.ts';
import { unmarkRestore } from '#db/embedded/data-folder.ts';
import { NewerSchemaError } from '#db/migrating/migrate.ts';
import { isDataError, isPermissionDenied } from '#db/sql-state.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { CommandFailedError } from '../command-failed.ts';
import { withDatabaseErrors, openForCommand } from '../open-database.ts';

export interface Restore extends AsyncDisposable {
  manifest: Manifest;
  databaseDescription: string;
  run: () => Promise<CopyResult>;
}

export async function openRestore(file: string): Promise<Restore> {
  const config = loadConfig(process.env, { isCommand: true });
  await using resources = new AsyncDisposableStack();
  const archive = resources.use(await openArchive(file).catch(throwExplained));
  const { connection, database } = await withDatabaseErrors(config, async () => {
    const opened = await openForCommand(config, 'restore');
    resources.defer(opened.close);
    return { connection: resources.use(await connectForCopy(opened.url)), database: opened };
  });
  const { dataDir } = database;
  const ownedResources = resources.move();
  return {
    manifest: archive.manifest,
    databaseDescription: database.description,
    run: async () => {
      const result = await copyIntoDatabase(connection, archive).catch((error: unknown) =>
        error instanceof NotEmptyError ? error : throwExplained(error),
      );
      // Keep a database that is not empty. If its restore was killed after COMMIT, it is complete,
      // because nothing else can write to a data folder that is marked for a restore.
      if (dataDir !== undefined) await unmarkRestore({ path: dataDir });
      return result instanceof NotEmptyError ? throwExplained(result) : result;
    },
    [Symbol.asyncDispose]: () => ownedResources.disposeAsync(),
  };

  function throwExplained(error: unknown): never {
    if (error instanceof NotEmptyError)
      throw new CommandFailedError(
        'The database is not empty. Nothing was changed. If an earlier restore was interrupted, its data is complete: start the server. Otherwise restore into an empty DATA_DIR or a new database from createdb.',
      );
    if (error instanceof NewerSchemaError)
      throw new CommandFailedError(
        'A newer version of Nameplate created this backup. Restore it with that version or a later one.',
      );
    if (error instanceof InvalidArchiveError || error instanceof RowCountMismatchError)
      throw new CommandFailedError(`${error.message} Nothing was restored.`, { cause: error });
    // PostgreSQL's own message would repeat data from the row.
    if (isDataError(error))
      throw new CommandFailedError(
        'The backup is damaged: PostgreSQL refuses one of its rows. Nothing was restored.',
        { cause: error },
      );
    if (isPermissionDenied(error))
      throw new CommandFailedError(
        'The user of DATABASE_URL may not create tables. Nothing was changed. Restore as the owner of the database: put its DATABASE_URL=… in front of the command.',
        { cause: error },
      );
    throw error;
  }
}
