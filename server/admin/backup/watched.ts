import type { Source } from '../../../db/backup/source.ts';

const REPORT_MS = 100;

/** A source that keeps a line on the terminal, if there is one, which says how far it has been read. */
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
