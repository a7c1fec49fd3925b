import { expect, test } from 'vitest';
import fc from 'fast-check';
import { countMembers } from '#server/http/contract/json-body.ts';

/** Counts all keys and values, including the root. */
function members(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, item) => sum + members(item), 1 + keys);
}

test('keys and values of a JSON text are counted as they would be after parsing it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', '\n\t'), (value, indent) => {
      expect(countMembers(Buffer.from(JSON.stringify(value, null, indent)))).toBe(members(value));
    }),
  );
});

test.each(['{"a', '"a\\', '{"a":"\\'])(
  'a text that ends within a string, %j, is counted',
  (text) => {
    expect(countMembers(Buffer.from(text))).toBeLessThan(4);
  },
);
