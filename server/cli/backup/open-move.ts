import { fill, type Filled, NotEmptyError } from '#db/backup/fill.ts';
import { connectForCopy } from '#db/backup/connection.ts';
import { NewerSchemaError } from '#db/migrating/migrate.ts';
import { runPrivateDatabase } from '#db/embedded/private-database.ts';
import { loadConfig } from '#server/settings/config.ts';
import { secureDatabaseUrl } from '#server/settings/database-url.ts';
import { explainDatabaseFailure } from '#server/settings/start-failure.ts';
import { CommandFailedError } from '../command-failed.ts';
import { explained, say } from '../open-database.ts';
import { readSnapshot } from './read-snapshot.ts';

/** A private database that is about to be copied to a PostgreSQL server. */
export interface Move extends AsyncDisposable {
  /** The data folder, which stays as it is. */
  folder: string;
  run: () => Promise<Filled>;
}

/**
 * Opens the private database, which no server and no other command can use until that is closed,
 * and the database of a URL.
 */
export async function openMove(to: string): Promise<Move> {
  const config = loadConfig(process.env);
  if (config.DATABASE_URL !== undefined)
    throw new CommandFailedError(
      'DATABASE_URL is set, so the data is on a PostgreSQL server already. To move what is in DATA_DIR, unset it for this command; to move to another server, use backup and restore.',
    );
  await using opened = new AsyncDisposableStack();
  const { source, folder } = await explained(config, async () => {
    const { url, path, close } = await runPrivateDatabase({
      dataDir: config.DATA_DIR,
      say,
      make: false,
      purpose: 'move',
      onLog: () => {},
      onRestart: () => {},
    });
    opened.defer(close);
    return { source: opened.use(await connectForCopy(url)), folder: path };
  });
  const target = opened.use(await connectForCopy(secureDatabaseUrl(to).url).catch(explain));
  const everything = opened.move();
  return {
    folder,
    run: async () => {
      const snapshot = await readSnapshot(source, { alone: true });
      return fill(target, snapshot).catch(explain);
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };

  function explain(error: unknown): never {
    if (error instanceof NotEmptyError)
      throw new CommandFailedError(
        'The database of --to is not empty. Nothing was changed: name one that createdb has just made.',
      );
    const sentence =
      error instanceof NewerSchemaError
        ? error.message
        : explainDatabaseFailure(error, { ...config, DATABASE_URL: to });
    throw sentence === undefined
      ? error
      : new CommandFailedError(sentence.replaceAll('DATABASE_URL', '--to'), { cause: error });
  }
}
