/** Starts of cells that spreadsheets run as formulas, also after the `'` that prevents this. */
const FORMULA = /^'*\s*[=+\-@＝＋－＠]/;

/** Adds a `'` to a cell that a spreadsheet would run as a formula. */
export function guardFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Undoes `guardFormula`. */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1).trimStart() : cell;
}
