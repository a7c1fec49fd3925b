import { BadArchiveError, type Manifest, openArchive } from '#db/backup/archive.ts';
import { fill, type Filled, NotEmptyError, WrongContentError } from '#db/backup/fill.ts';
import { connectForCopy } from '#db/backup/connection.ts';
import { NewerSchemaError } from '#db/migrating/migrate.ts';
import { isAboutValues } from '#db/sql-state.ts';
import { loadConfig } from '#server/settings/config.ts';
import { CommandFailedError } from '../command-failed.ts';
import { explained, openForCommand } from '../open-database.ts';
import { watched } from './read-snapshot.ts';

/** A backup that is about to be restored. */
export interface Restore extends AsyncDisposable {
  manifest: Manifest;
  /** Where it will be, for people. */
  place: string;
  run: () => Promise<Filled>;
}

/** Opens a backup and the database that the settings name, which is made if it is a private one. */
export async function openRestore(file: string): Promise<Restore> {
  const config = loadConfig(process.env);
  await using opened = new AsyncDisposableStack();
  const archive = opened.use(await openArchive(file).catch(explain));
  let isDone = false;
  const { connection, place } = await explained(config, async () => {
    const database = await openForCommand(config, true, true);
    opened.defer(() => (isDone ? database.close() : database.discard()));
    return { connection: opened.use(await connectForCopy(database.url)), place: database.place };
  });
  const everything = opened.move();
  return {
    manifest: archive.manifest,
    place,
    run: async () => {
      const filled = await fill(connection, watched(archive)).catch((error: unknown) => {
        // One that was killed after its commit has come to its end: nobody else fills what is marked.
        isDone = error instanceof NotEmptyError;
        return explain(error);
      });
      isDone = true;
      return filled;
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };

  function explain(error: unknown): never {
    if (error instanceof NotEmptyError)
      throw new CommandFailedError(
        'The database is not empty, and nothing was changed. (If an earlier restore was interrupted, all of it is there: start the server.) Restore into an empty DATA_DIR, or into a database that createdb has just made.',
      );
    if (error instanceof NewerSchemaError)
      throw new CommandFailedError(
        'The backup was made by a newer version of Nameplate; restore it with that version or a later one.',
      );
    if (error instanceof BadArchiveError || error instanceof WrongContentError)
      throw new CommandFailedError(`${error.message} Nothing was restored.`, { cause: error });
    // Without PostgreSQL's words, which repeat what is in the row.
    if (isAboutValues(error))
      throw new CommandFailedError(
        'The backup is damaged: PostgreSQL refuses one of its rows. Nothing was restored.',
        { cause: error },
      );
    throw error;
  }
}
