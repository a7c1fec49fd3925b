import { pino } from 'pino';
import type { Config } from '../settings/config.ts';
import { type OpenDatabase, openDatabase } from '../database.ts';
import { explainDatabaseFailure } from '../settings/start-failure.ts';
import { CommandFailedError } from './command-failed.ts';

/** Commands say what there is to say. */
export const silent = pino({ level: 'silent' });

/** Opens the database that the settings name as it is, without time limits; `make` makes a private one, which `restores` is to be restored into. */
export async function openForCommand(
  config: Config,
  make: boolean,
  restores = false,
): Promise<OpenDatabase> {
  const database = await openDatabase(config, {
    logger: silent,
    say,
    user: { kind: 'command', make, restores },
  });
  // Who works at a terminal sees which database it is.
  if (process.stderr.isTTY) say(`Database: ${database.place}`);
  return database;
}

/** Does something with a database; why that cannot be is one sentence. */
export async function explained<Result>(
  config: Config,
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const sentence = explainDatabaseFailure(error, config);
    throw sentence === undefined ? error : new CommandFailedError(sentence, { cause: error });
  }
}

export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
