/** Adds a query to a path, without the fields that are undefined. */
export function withQuery(
  path: string,
  query: Record<string, string | number | boolean | undefined> = {},
): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) given.set(name, String(value));
  const text = given.toString();
  return text === '' ? path : `${path}?${text}`;
}
