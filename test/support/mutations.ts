/** Keys that lead to a place in a value. */
type Path = (string | number)[];

/** Replacements for a value, each as JSON text. */
export const REPLACEMENTS: Record<string, (json: string) => string | undefined> = {
  'left out': () => undefined,
  null: () => 'null',
  'a number': () => '-1.5e-7',
  'a text': () => '"x"',
  'an empty text': () => '""',
  true: () => 'true',
  'an array': () => '[]',
  'an object': () => '{}',
  'wrapped in an array': (json) => `[${json}]`,
  'wrapped in an object': (json) => `{"value":${json}}`,
  'doubled in an array': (json) => `[${json},${json}]`,
  'a long text': () => `"${'x'.repeat(100_000)}"`,
  'many characters beyond the first plane': () => `"${'\u{1F989}'.repeat(5_000)}"`,
  'a long array': () => `[${'1,'.repeat(20_000)}1]`,
  NUL: () => '"a\\u0000b"',
  'half a surrogate pair': () => '"\\ud800"',
  'a key with NUL': () => '{"\\u0000":1}',
  'control characters': () => '"\\u0001\\u001f\\u007f\\u0085\\u2028"',
  'a number beyond a double': () => '1e400',
  'a large number': () => '1e308',
  'deep nesting': () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  'a prototype': () => '{"__proto__":{"x":1}}',
  'an inherited name': () => '{"toString":1,"hasOwnProperty":null,"length":-1}',
  SQL: () => `"'; DROP TABLE accounts; --"`,
};

/** Every place in a value where something stands. */
export function pathsOf(value: unknown, path: Path = []): Path[] {
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [
    path,
    ...children.flatMap(([key, child]) =>
      pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** The JSON of a value with one place in it replaced. */
export function replaced(
  value: unknown,
  [key, ...rest]: Path,
  replace: (json: string) => string | undefined,
): string | undefined {
  if (key === undefined) return replace(JSON.stringify(value));
  const parts = Object.entries(value as object).flatMap(([name, child]) => {
    const json = name === String(key) ? replaced(child, rest, replace) : JSON.stringify(child);
    if (json === undefined) return [];
    return Array.isArray(value) ? [json] : [`${JSON.stringify(name)}:${json}`];
  });
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}
