import { guardFormula } from '#contract/shared/csv-formula.ts';
import { toPrintable } from './printable-text.ts';

/** A quoted cell of CSV (RFC 4180) that is safe to open in a spreadsheet. */
export function formatCsvCell(cell: string | null): string {
  return `"${guardFormula(toPrintable(cell ?? '')).replaceAll('"', '""')}"`;
}
