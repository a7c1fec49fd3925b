/** Object keys and array indexes from the root of a JSON value. */
type Path = (string | number)[];

/**
 * Functions that replace a value's JSON, or remove the value by returning undefined. The keys appear
 * in test titles.
 */
export const REPLACEMENTS: Record<string, (json: string) => string | undefined> = {
  removed: () => undefined,
  null: () => 'null',
  'a number': () => '-1.5e-7',
  'a string': () => '"x"',
  'an empty string': () => '""',
  true: () => 'true',
  'an array': () => '[]',
  'an object': () => '{}',
  'wrapped in an array': (json) => `[${json}]`,
  'wrapped in an object': (json) => `{"value":${json}}`,
  'twice in an array': (json) => `[${json},${json}]`,
  'a long string': () => `"${'x'.repeat(100_000)}"`,
  'many characters outside the BMP': () => `"${'\u{1F989}'.repeat(5_000)}"`,
  'a long array': () => `[${'1,'.repeat(20_000)}1]`,
  NUL: () => '"a\\u0000b"',
  'a lone surrogate': () => '"\\ud800"',
  'a key with NUL': () => '{"\\u0000":1}',
  'control characters': () => '"\\u0001\\u001f\\u007f\\u0085\\u2028"',
  'a number too large for a double': () => '1e400',
  'a large number': () => '1e308',
  'deep nesting': () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  'a __proto__ key': () => '{"__proto__":{"x":1}}',
  'keys inherited from Object': () => '{"toString":1,"hasOwnProperty":null,"length":-1}',
  'the name of an inherited property': (json) => json.replace(/[a-z]\w*/i, 'constructor'),
  SQL: () => `"'; DROP TABLE accounts; --"`,
};

export function listPaths(value: unknown, path: Path = []): Path[] {
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [
    path,
    ...children.flatMap(([key, child]) =>
      listPaths(child, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** Serializes a value to JSON, with the value at one path replaced or removed. */
export function replaceAt(
  value: unknown,
  [key, ...rest]: Path,
  replace: (json: string) => string | undefined,
): string | undefined {
  if (key === undefined) return replace(JSON.stringify(value));
  const members = Object.entries(value as object).flatMap(([name, child]) => {
    const json = name === String(key) ? replaceAt(child, rest, replace) : JSON.stringify(child);
    if (json === undefined) return [];
    return Array.isArray(value) ? [json] : [`${JSON.stringify(name)}:${json}`];
  });
  return Array.isArray(value) ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}
