import { pino } from 'pino';
import { attachToEmbeddedDatabase, type IfMissing } from '#db/embedded/embedded-database.ts';
import { connect, type OpenDatabase } from '#server/database.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { explainDatabaseFailure } from '#server/platform/settings/start-failure.ts';
import { CommandFailedError } from './command-failed.ts';

/** Commands report problems themselves. */
export const silentLogger = pino({ level: 'silent' });

/** Opens the database without migrating it. Writes have no time limits. */
export async function openForCommand(
  config: Config,
  ifMissing: IfMissing = 'fail',
): Promise<
  OpenDatabase & {
    /** URL of the server that runs the embedded database, if known. */
    serverAddress: string | undefined;
  }
> {
  const options = { logger: silentLogger, onMessage: printToStderr, writeTimeLimits: undefined };
  const embedded =
    config.DATABASE_URL === undefined
      ? await attachToEmbeddedDatabase(config.DATA_DIR, { ...options, ifMissing })
      : undefined;
  const database = connect(config, embedded, options);
  // Helps operators notice that they work on the wrong database.
  if (process.stderr.isTTY) printToStderr(`Database: ${database.description}`);
  return { ...database, serverAddress: embedded?.serverAddress };
}

/** Throws a CommandFailedError with a short explanation for known database errors. */
export async function withDatabaseErrors<Result>(
  config: Config,
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const message = explainDatabaseFailure(error, config);
    throw message === undefined ? error : new CommandFailedError(message, { cause: error });
  }
}

export function printToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
