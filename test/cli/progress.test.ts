import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { withProgress } from '#server/cli/commands/metrics.ts';

it('the output of an export is unchanged while the terminal shows its progress', async () => {
  const terminal = new PassThrough();
  const output: string[] = [];
  const chunks = ['a\nb\n', 'ü'.repeat(500_000), '\n\n'];
  for await (const chunk of withProgress(Readable.from(chunks), terminal)) output.push(chunk);
  terminal.end();
  expect(output).toEqual(chunks);
  expect(await text(terminal)).toMatch(/\r4 lines, 1\.0 MB\n$/);
});
