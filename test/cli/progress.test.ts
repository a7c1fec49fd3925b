import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { withProgress } from '#server/cli/commands/metrics.ts';

it('the output of an export is unchanged while the terminal shows its progress', async () => {
  const terminal = new PassThrough();
  const passed: string[] = [];
  const parts = ['a\nb\n', 'ü'.repeat(500_000), '\n\n'];
  for await (const part of withProgress(Readable.from(parts), terminal)) passed.push(part);
  terminal.end();
  expect(passed).toEqual(parts);
  expect(await text(terminal)).toMatch(/\r4 lines, 1\.0 MB\n$/);
});
