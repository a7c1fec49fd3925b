import { expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';

it('a slow wait prints its test and its last error', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const readLines = () => stderr.mock.calls.map(([text]) => String(text));
    const lines = await eventually(readLines, ({ length }) => length > 0, 0);
    expect(lines).toEqual([
      '"a slow wait prints its test and its last error" is still waiting: Error: still []\n',
    ]);
  } finally {
    stderr.mockRestore();
  }
});
