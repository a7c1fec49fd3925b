import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { confirm } from '#server/entry/cli/confirm.ts';

async function confirmWith(typedText: string): Promise<{ confirmed: boolean; prompt: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const confirmation = confirm('Delete it?', input, output);
  input.end(typedText);
  const result = await confirmation;
  output.end();
  return { confirmed: result, prompt: await text(output) };
}

describe('a confirmation before something is deleted', () => {
  it.each(['y\n', 'Y\n', 'yes\n', ' YES \n'])('treats %j as yes', async (typedText) => {
    expect(await confirmWith(typedText)).toEqual({ confirmed: true, prompt: 'Delete it? [y/N] ' });
  });

  it.each(['\n', 'n\n', 'no\n', 'yesterday\n', 'j\n', ''])('treats %j as no', async (typedText) => {
    expect(await confirmWith(typedText)).toEqual({
      confirmed: false,
      prompt: 'Delete it? [y/N] ',
    });
  });
});
