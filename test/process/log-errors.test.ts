import { describe, expect, it } from 'vitest';
import { serializeError } from '#server/process/logger.ts';

describe('an error in the log', () => {
  it('contains the first thirty lines of its stack', () => {
    const error = new Error('too deep');
    const frames = Array.from({ length: 500 }, (_, depth) => `    at frame${depth} (file.ts:1:1)`);
    error.stack = `Error: too deep\n${frames.join('\n')}`;
    expect(serializeError(error)).toEqual({
      type: 'Error',
      message: 'too deep',
      stack: `Error: too deep\n${frames.slice(0, 29).join('\n')}`,
    });
  });

  it('omits values that the database repeats, even multiline ones', () => {
    const value = Array.from({ length: 50 }, () => 'secret\n    at secret').join('\n');
    const error = Object.assign(new Error(`invalid input syntax: "${value}"`), { code: '22P02' });
    const entry = serializeError(error);
    expect(entry).toMatchObject({ message: 'SQLSTATE 22P02', code: '22P02' });
    expect(entry['stack']).toMatch(/^Error: SQLSTATE 22P02\n    at /);
    expect(JSON.stringify(entry)).not.toContain('secret');
  });

  it('truncates a long message', () => {
    const entry = serializeError(new Error('x'.repeat(100_000)));
    expect(entry['message']).toBe('x'.repeat(2_000));
    expect(JSON.stringify(entry).length).toBeLessThan(10_000);
  });
});
