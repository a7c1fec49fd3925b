import { expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';

it('a slow wait reports its test and its condition', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const lines = () => stderr.mock.calls.map(([text]) => String(text));
    const seen = await eventually(lines, (said) => said.length > 0, 0);
    expect(seen).toEqual([
      '"a slow wait reports its test and its condition" is still waiting: Error: still []\n',
    ]);
  } finally {
    stderr.mockRestore();
  }
});
