import type { Readable, Writable } from 'node:stream';

const REPORT_MS = 100;
const LINE_FEED = 0x0a;

/** Passes text on and keeps a line on the terminal that says how much it was. */
export async function* progress(text: Readable, terminal: Writable): AsyncGenerator<Buffer> {
  let lines = 0;
  let bytes = 0;
  let reported = 0;
  const report = () => {
    const megabytes = (bytes / 1_000_000).toFixed(1);
    terminal.write(`\r${lines.toLocaleString('en')} lines, ${megabytes} MB`);
    reported = performance.now();
  };
  for await (const chunk of text as AsyncIterable<Buffer>) {
    yield chunk;
    bytes += chunk.length;
    for (const byte of chunk) if (byte === LINE_FEED) lines += 1;
    if (performance.now() - reported > REPORT_MS) report();
  }
  report();
  terminal.write('\n');
}
