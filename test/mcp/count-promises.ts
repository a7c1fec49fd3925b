import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { queryObjects } from 'node:v8';
import { bridge } from '#server/cli/commands/mcp.ts';

// Sends a message 20 times, then 60 times, and prints by how much the number of live promises grew.
const [, , url = '', key = '', message = ''] = process.argv;
const [input, output] = [new PassThrough(), new PassThrough()];
const bridgeClosed = bridge(input, output, { url: new URL(url), key });
const lines = createInterface({ input: output })[Symbol.asyncIterator]();

async function countPromisesAfter(messages: number): Promise<number> {
  for (let sent = 0; sent < messages; sent += 1) {
    input.write(`${message}\n`);
    await lines.next();
  }
  return queryObjects(Promise, { format: 'count' });
}

const before = await countPromisesAfter(20);
console.log((await countPromisesAfter(60)) - before);
input.end();
await bridgeClosed;
