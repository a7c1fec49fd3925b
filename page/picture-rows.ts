/** Limits the ratios used for the layout (also 1 / 5), so that no picture makes the others in its row tiny. */
const MAX_RATIO = 5;

/** Target sums of the aspect ratios in a row. Larger targets make lower rows: height = width / sum. */
export interface RowTargets {
  /** Undefined for one picture per row. */
  narrow: number | undefined;
  wide: number;
}

/**
 * Collects the style rules of justified rows: the pictures of a row have the same height and fill
 * the width without cropping. Uses classes, because the page's CSP forbids `style` attributes.
 */
export class PictureRows {
  /** Class names by their declarations, so that equal pictures share a class. */
  readonly #classes = new Map<string, string>();
  readonly #narrowRules: string[] = [];
  readonly #wideRules: string[] = [];
  listCount = 0;

  /** Returns a class for each picture. */
  add(ratios: readonly number[], targets: RowTargets): string[] {
    this.listCount += 1;
    const limited = ratios.map((ratio) => Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, ratio)));
    const narrow = targets.narrow && rowDeclarations(limited, targets.narrow);
    const wide = rowDeclarations(limited, targets.wide);
    return ratios.map((_, index) => this.#classOf(narrow ? narrow[index]! : '', wide[index]!));
  }

  #classOf(narrow: string, wide: string): string {
    const key = `${narrow} ${wide}`;
    const existing = this.#classes.get(key);
    if (existing) return existing;
    const name = `g${this.#classes.size}`;
    this.#classes.set(key, name);
    if (narrow) this.#narrowRules.push(`.${name}{${narrow}}`);
    this.#wideRules.push(`.${name}{${wide}}`);
    return name;
  }

  get rules(): string {
    if (this.#wideRules.length === 0) return '';
    return `${this.#narrowRules.join('')}@container (width>=36rem){${this.#wideRules.join('')}}`;
  }
}

/** For each picture, the number of pictures in its row and its share of the row's width. */
function rowDeclarations(ratios: readonly number[], target: number): string[] {
  return justifiedRows(ratios, target).flatMap((row) => {
    const sum = sumOf(row);
    return row.map((ratio) => `--n:${row.length};--f:${Number((ratio / sum).toFixed(4))}`);
  });
}

/** Splits pictures into rows whose sums of aspect ratios are closest to the target. */
export function justifiedRows(ratios: readonly number[], target: number): number[][] {
  // Dynamic programming: best[n] is the best split of the first n pictures.
  const best: { cost: number; rows: number[][] }[] = [{ cost: 0, rows: [] }];
  for (let end = 1; end <= ratios.length; end++) {
    let choice = { cost: Number.POSITIVE_INFINITY, rows: [] as number[][] };
    for (let start = end - 1; start >= 0; start--) {
      const row = ratios.slice(start, end);
      const sum = sumOf(row);
      const cost = best[start]!.cost + row.length * Math.log(sum / target) ** 2;
      if (cost < choice.cost) choice = { cost, rows: [...best[start]!.rows, row] };
      if (sum > 4 * target) break;
    }
    best.push(choice);
  }
  return best.at(-1)!.rows;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
