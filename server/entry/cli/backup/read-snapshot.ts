import type { CopyConnection } from '#db/backup/connection.ts';
import { NoTablesError, takeSnapshot } from '#db/backup/snapshot.ts';
import type { Source } from '#db/backup/source.ts';
import { CommandFailedError } from '../command-failed.ts';

export async function readSnapshot(connection: CopyConnection): Promise<Source> {
  try {
    return withProgress(await takeSnapshot(connection));
  } catch (error) {
    throw error instanceof NoTablesError ? new CommandFailedError(error.message) : error;
  }
}

const REPORT_INTERVAL_MS = 100;

export function withProgress(source: Source): Source {
  const terminal = process.stderr;
  if (!terminal.isTTY) return source;
  let [tableCount, bytes, reportedAt] = [0, 0, 0];
  const report = (name: string) => {
    const megabytes = (bytes / 1_000_000).toFixed(1);
    terminal.write(
      `\r\x1b[K${tableCount} of ${source.tables.length} tables, ${megabytes} MB: ${name}`,
    );
    reportedAt = performance.now();
  };
  return {
    ...source,
    read: async function* (table) {
      tableCount += 1;
      for await (const chunk of source.read(table)) {
        bytes += chunk.length;
        if (performance.now() - reportedAt > REPORT_INTERVAL_MS) report(table.name);
        yield chunk;
      }
    },
    readSummary: async () => {
      terminal.write('\r\x1b[K');
      return source.readSummary();
    },
  };
}
