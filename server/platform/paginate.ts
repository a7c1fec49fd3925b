/** Callers query `limit + 1` rows: the extra row shows whether there is a next page. */
export function paginate<Row, Entry>(
  rows: readonly Row[],
  {
    limit,
    idOf,
    toEntry,
  }: { limit: number; idOf: (row: Row) => string; toEntry: (row: Row) => Entry },
): { entries: Entry[]; next: string | null } {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  return {
    entries: pageRows.map(toEntry),
    next: rows.length > limit && last !== undefined ? idOf(last) : null,
  };
}
