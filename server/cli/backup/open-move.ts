import { copyIntoDatabase, type CopyResult, NotEmptyError } from '#db/backup/copy-into-database.ts';
import { connectForCopy } from '#db/backup/connection.ts';
import { NewerSchemaError } from '#db/migrating/migrate.ts';
import { runEmbeddedDatabase } from '#db/embedded/embedded-database.ts';
import { loadConfig } from '#server/settings/config.ts';
import { secureDatabaseUrl } from '#server/settings/database-url.ts';
import { explainDatabaseFailure } from '#server/settings/start-failure.ts';
import { CommandFailedError } from '../command-failed.ts';
import { withDatabaseErrors, printToStderr } from '../open-database.ts';
import { readSnapshot } from './read-snapshot.ts';

export interface Move extends AsyncDisposable {
  /** Data directory of the embedded database. The move does not change it. */
  dataDir: string;
  run: () => Promise<CopyResult>;
}

/** Locks the embedded database, so that no server or other command can use it during the move. */
export async function openMove(to: string): Promise<Move> {
  const config = loadConfig(process.env);
  if (config.DATABASE_URL !== undefined)
    throw new CommandFailedError(
      'DATABASE_URL is set, so the data is already on a PostgreSQL server. To move the database in DATA_DIR, unset DATABASE_URL for this command. To move to another server, use backup and restore.',
    );
  await using resources = new AsyncDisposableStack();
  const { source, folder: dataDir } = await withDatabaseErrors(config, async () => {
    const { url, path, close } = await runEmbeddedDatabase({
      dataDir: config.DATA_DIR,
      onMessage: printToStderr,
      createIfMissing: false,
      purpose: 'move',
      onLog: () => {},
      onRestart: () => {},
    });
    resources.defer(close);
    return { source: resources.use(await connectForCopy(url)), folder: path };
  });
  const target = resources.use(
    await connectForCopy(secureDatabaseUrl(to).url).catch(throwExplained),
  );
  const ownedResources = resources.move();
  return {
    dataDir,
    run: async () => {
      const snapshot = await readSnapshot(source, { blockWrites: true });
      return copyIntoDatabase(target, snapshot).catch(throwExplained);
    },
    [Symbol.asyncDispose]: () => ownedResources.disposeAsync(),
  };

  function throwExplained(error: unknown): never {
    if (error instanceof NotEmptyError)
      throw new CommandFailedError(
        'The database of --to is not empty. Nothing was changed. Create a new database with createdb.',
      );
    const message =
      error instanceof NewerSchemaError
        ? error.message
        : explainDatabaseFailure(error, { ...config, DATABASE_URL: to });
    throw message === undefined
      ? error
      : new CommandFailedError(message.replaceAll('DATABASE_URL', '--to'), { cause: error });
  }
}
