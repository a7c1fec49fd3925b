import type { CopyConnection } from '../../../db/backup/connection.ts';
import { NothingThereError, takeSnapshot } from '../../../db/backup/snapshot.ts';
import type { Source } from '../../../db/backup/source.ts';
import { CommandFailedError } from '../command-failed.ts';
import { watched } from './watched.ts';

/** Reads a database as it is now, and says at the terminal how far that is. */
export async function readSnapshot(
  connection: CopyConnection,
  options?: { alone: boolean },
): Promise<Source> {
  try {
    return watched(await takeSnapshot(connection, options));
  } catch (error) {
    throw error instanceof NothingThereError ? new CommandFailedError(error.message) : error;
  }
}
