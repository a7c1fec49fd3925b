/** Callers query `limit + 1` rows: the extra row shows whether there is a next page. */
export function paginate<Row extends { id: string }, Entry>(
  rows: readonly Row[],
  limit: number,
  toEntry: (row: Row) => Entry,
): { entries: Entry[]; next: string | null } {
  const pageRows = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { entries: pageRows.map(toEntry), next: hasMore ? pageRows.at(-1)!.id : null };
}
