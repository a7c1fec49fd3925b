import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { queryObjects } from 'node:v8';
import { bridge } from '#server/cli/commands/mcp.ts';

// Prints how many more promises the stdio bridge holds after 60 copies of a message than after 20.
const [, , url = '', key = '', message = ''] = process.argv;
const [input, output] = [new PassThrough(), new PassThrough()];
const bridged = bridge(input, output, { url: new URL(url), key });
const lines = createInterface({ input: output })[Symbol.asyncIterator]();

async function promisesAfter(messages: number): Promise<number> {
  for (let sent = 0; sent < messages; sent += 1) {
    input.write(`${message}\n`);
    await lines.next();
  }
  return queryObjects(Promise, { format: 'count' });
}

const before = await promisesAfter(20);
console.log((await promisesAfter(60)) - before);
input.end();
await bridged;
