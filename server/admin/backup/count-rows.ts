import type { Totals } from '../../../db/backup/source.ts';

/** How much was copied, for people, and which tables were left out. */
export function countRows(
  rows: Totals['rows'],
  strangers: readonly string[] = [],
): Record<string, string> {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return {
    Accounts: String(rows['accounts'] ?? 0),
    Rows: String(all),
    ...(strangers.length > 0 && {
      'Left out': `${strangers.join(', ')}: not a table of Nameplate`,
    }),
  };
}
