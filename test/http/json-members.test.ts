import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countJsonMembers } from '#server/platform/http/contract/json-body.ts';

/** Counts all keys and values, including the root. */
function expectedCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, item) => sum + expectedCount(item), 1 + keys);
}

test('countJsonMembers counts the keys and values of a JSON text without parsing it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', '\n\t'), (value, indent) => {
      expect(countJsonMembers(Buffer.from(JSON.stringify(value, null, indent)))).toBe(
        expectedCount(value),
      );
    }),
  );
});

test.each(['{"a', '"a\\', '{"a":"\\'])(
  'countJsonMembers does not fail on a text that ends within a string: %j',
  (text) => {
    expect(countJsonMembers(Buffer.from(text))).toBeLessThan(4);
  },
);
