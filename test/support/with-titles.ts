/** Returns test cases for `it.each`, with each value's JSON as `$title`. */
export function withTitles<T>(values: readonly T[]): { title: string; value: T }[] {
  return values.map((value) => ({ title: JSON.stringify(value) ?? 'undefined', value }));
}
