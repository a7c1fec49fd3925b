import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { confirm } from '#server/cli/confirm.ts';

async function answer(typed: string): Promise<{ confirmed: boolean; asked: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const confirmed = confirm('Delete it?', input, output);
  input.end(typed);
  const result = await confirmed;
  output.end();
  return { confirmed: result, asked: await text(output) };
}

describe('a confirmation before something is deleted', () => {
  it.each(['y\n', 'Y\n', 'yes\n', ' YES \n'])('accepts %j as yes', async (typed) => {
    expect(await answer(typed)).toEqual({ confirmed: true, asked: 'Delete it? [y/N] ' });
  });

  it.each(['\n', 'n\n', 'no\n', 'yesterday\n', 'j\n', ''])('accepts %j as no', async (typed) => {
    expect(await answer(typed)).toEqual({ confirmed: false, asked: 'Delete it? [y/N] ' });
  });

  it.each(['\u0003', '\u0004'])('accepts %j on a terminal as no', async (typed) => {
    const output = Object.assign(new PassThrough(), { isTTY: true });
    const input = new PassThrough();
    const confirmed = confirm('Delete it?', input, output);
    input.write(typed);
    expect(await confirmed).toBe(false);
  });
});
