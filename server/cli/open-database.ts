import { pino } from 'pino';
import type { Config } from '../settings/config.ts';
import { type OpenDatabase, openDatabase } from '../database.ts';
import { explainDatabaseFailure } from '../settings/start-failure.ts';
import { CommandFailedError } from './command-failed.ts';

/** Commands report problems themselves. */
export const silentLogger = pino({ level: 'silent' });

/**
 * Opens the database without migrating it. Writes have no time limits. `isRestore` marks a new
 * embedded database as the target of a restore.
 */
export async function openForCommand(
  config: Config,
  createIfMissing: boolean,
  isRestore = false,
): Promise<OpenDatabase> {
  const database = await openDatabase(config, {
    logger: silentLogger,
    onMessage: printToStderr,
    user: { kind: 'command', createIfMissing, isRestore },
  });
  // Helps operators notice that they work on the wrong database.
  if (process.stderr.isTTY) printToStderr(`Database: ${database.description}`);
  return database;
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
