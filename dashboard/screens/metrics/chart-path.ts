type Point = readonly [x: number, y: number];

/** Drawing of a course of numbers, as data of SVG paths. */
export interface ChartPaths {
  line: string;
  /** The last piece, of an interval that is not over; empty without one. */
  open: string;
  area: string;
  /** Points without a neighbour, of which a line would show nothing. */
  dots: string;
}

/** Draws a course of points, in which a gap is `undefined`; `base` is where the area ends. */
export function drawPaths(
  points: readonly (Point | undefined)[],
  base: number,
  isOpen: boolean,
): ChartPaths {
  const drawn: ChartPaths = { line: '', open: '', area: '', dots: '' };
  for (const run of splitAtGaps(points)) {
    const [first, last] = [run[0]!, run.at(-1)!];
    if (run.length === 1) {
      drawn.dots += `M${formatPoint(first)}h0`;
      continue;
    }
    const pieces = curveSegments(run);
    const isLast = isOpen && last === points.at(-1);
    const whole = isLast ? pieces.slice(0, -1) : pieces;
    if (whole.length > 0) drawn.line += `M${formatPoint(first)}${whole.join('')}`;
    if (isLast) drawn.open = `M${formatPoint(run.at(-2)!)}${pieces.at(-1)!}`;
    drawn.area += `M${formatPoint(first)}${pieces.join('')}V${base}H${round(first[0])}Z`;
  }
  return drawn;
}

/** Points that follow each other without a gap. */
function splitAtGaps(points: readonly (Point | undefined)[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point) runs.at(-1)!.push(point);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

/** Curves between points that never leave the range of their two ends (monotone cubic interpolation). */
function curveSegments(run: readonly Point[]): string[] {
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
    return `C${formatPoint(out)} ${formatPoint(into)} ${formatPoint(to)}`;
  });
}

function formatPoint([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
