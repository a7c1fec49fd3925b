import { guardFormula } from '#contract/shared/csv-formula.ts';
import { toPrintable } from './printable-text.ts';

/** A cell of CSV (RFC 4180) that is safe to open in a spreadsheet, with whatever delimiter. */
export function formatCsvCell(cell: string | null): string {
  const text = guardFormula(toPrintable(cell ?? ''));
  return /[",;|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
