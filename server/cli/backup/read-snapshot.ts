import type { CopyConnection } from '#db/backup/connection.ts';
import { NothingThereError, takeSnapshot } from '#db/backup/snapshot.ts';
import type { Source } from '#db/backup/source.ts';
import { CommandFailedError } from '../command-failed.ts';

/** Reads a snapshot of a database and shows the progress on the terminal. */
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

const REPORT_MS = 100;

/** A source that shows the progress on the terminal, if there is one. */
export function watched(source: Source): Source {
  const terminal = process.stderr;
  if (!terminal.isTTY) return source;
  let [tables, bytes, reported] = [0, 0, 0];
  const report = (name: string) => {
    const megabytes = (bytes / 1_000_000).toFixed(1);
    terminal.write(`\r\x1b[K${tables} of ${source.tables.length} tables, ${megabytes} MB: ${name}`);
    reported = performance.now();
  };
  return {
    ...source,
    read: async function* (table) {
      tables += 1;
      for await (const chunk of source.read(table)) {
        bytes += chunk.length;
        if (performance.now() - reported > REPORT_MS) report(table.name);
        yield chunk;
      }
    },
    totals: async () => {
      terminal.write('\r\x1b[K');
      return source.totals();
    },
  };
}
