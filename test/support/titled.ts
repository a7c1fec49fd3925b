/** The values of a table of cases, each with itself as JSON for `$title`. */
export function titled<T>(values: readonly T[]): { title: string; value: T }[] {
  return values.map((value) => ({ title: JSON.stringify(value) ?? 'undefined', value }));
}
