import type { Writable } from 'node:stream';

const REPORT_MS = 100;

/** Passes text on and keeps a line on the terminal that says how much it was. */
export async function* progress(
  text: AsyncIterable<string>,
  terminal: Writable,
): AsyncGenerator<string> {
  let lines = 0;
  let bytes = 0;
  let reported = 0;
  const report = () => {
    const megabytes = (bytes / 1_000_000).toFixed(1);
    terminal.write(`\r${lines.toLocaleString('en')} lines, ${megabytes} MB`);
    reported = performance.now();
  };
  for await (const part of text) {
    yield part;
    bytes += Buffer.byteLength(part);
    for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) lines += 1;
    if (performance.now() - reported > REPORT_MS) report();
  }
  report();
  terminal.write('\n');
}
