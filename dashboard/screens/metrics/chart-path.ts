type Point = readonly [x: number, y: number];

/** Drawing of a course of numbers, as data of SVG paths. */
export interface Drawn {
  line: string;
  /** The last piece, of an interval that is not over; empty without one. */
  open: string;
  area: string;
  /** Points without a neighbour, of which a line would show nothing. */
  dots: string;
}

/** Draws a course of points, in which a gap is `undefined`; `base` is where the area ends. */
export function draw(points: readonly (Point | undefined)[], base: number, isOpen: boolean): Drawn {
  const drawn: Drawn = { line: '', open: '', area: '', dots: '' };
  for (const run of runsOf(points)) {
    const [first, last] = [run[0]!, run.at(-1)!];
    if (run.length === 1) {
      drawn.dots += `M${words(first)}h0`;
      continue;
    }
    const pieces = piecesOf(run);
    const isLast = isOpen && last === points.at(-1);
    const whole = isLast ? pieces.slice(0, -1) : pieces;
    if (whole.length > 0) drawn.line += `M${words(first)}${whole.join('')}`;
    if (isLast) drawn.open = `M${words(run.at(-2)!)}${pieces.at(-1)!}`;
    drawn.area += `M${words(first)}${pieces.join('')}V${base}H${round(first[0])}Z`;
  }
  return drawn;
}

/** Points that follow each other without a gap. */
function runsOf(points: readonly (Point | undefined)[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point) runs.at(-1)!.push(point);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

/** Curves between points that never leave the range of their two ends (monotone cubic interpolation). */
function piecesOf(run: readonly Point[]): string[] {
  const slopes = run.slice(1).map(([x, y], index) => (y - run[index]![1]) / (x - run[index]![0]));
  const tangents = run.map((_, index) => {
    const [before, after] = [slopes[index - 1] ?? 0, slopes[index] ?? 0];
    return before * after > 0 ? (2 * before * after) / (before + after) : 0;
  });
  return run.slice(1).map((to, index) => {
    const from = run[index]!;
    const third = (to[0] - from[0]) / 3;
    const out: Point = [from[0] + third, from[1] + tangents[index]! * third];
    const into: Point = [to[0] - third, to[1] - tangents[index + 1]! * third];
    return `C${words(out)} ${words(into)} ${words(to)}`;
  });
}

function words([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
