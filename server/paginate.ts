/** One batch of a list: at most `limit` of the rows, which are one more if there is a next batch. */
export function paginate<Row, Entry>(
  rows: readonly Row[],
  {
    limit,
    idOf,
    toEntry,
  }: { limit: number; idOf: (row: Row) => string; toEntry: (row: Row) => Entry },
): { entries: Entry[]; next: string | null } {
  const listed = rows.slice(0, limit);
  const last = listed.at(-1);
  return {
    entries: listed.map(toEntry),
    next: rows.length > limit && last !== undefined ? idOf(last) : null,
  };
}
