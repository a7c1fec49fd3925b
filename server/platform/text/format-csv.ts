import { toPrintable } from './printable-text.ts';

/** Formats CSV (RFC 4180). Cells that a spreadsheet would run as a formula get a leading `'`. */
export function formatCsv(headings: string[], rows: (string | null)[][]): string {
  const quoted = (cell: string | null) => {
    const text = toPrintable(cell ?? '').replaceAll('"', '""');
    return `"${/^\s*[=+\-@]/.test(text) ? "'" : ''}${text}"`;
  };
  const line = (cells: (string | null)[]) => cells.map(quoted).join(',');
  return [headings.join(','), ...rows.map(line)].join('\r\n');
}
