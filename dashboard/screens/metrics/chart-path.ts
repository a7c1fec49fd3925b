type Point = readonly [x: number, y: number];

export interface ChartPaths {
  line: string;
  /** The last segment, if its interval is not over yet. Otherwise empty. */
  partial: string;
  area: string;
  /** Isolated points, for which there is no line. */
  dots: string;
}

/** `undefined` points are gaps. `baseY` is the lower edge of the area below the line. */
export function drawPaths(
  points: readonly (Point | undefined)[],
  baseY: number,
  isLastPartial: boolean,
): ChartPaths {
  const paths: ChartPaths = { line: '', partial: '', area: '', dots: '' };
  for (const segmentPoints of splitAtGaps(points)) {
    const [first, last] = [segmentPoints[0]!, segmentPoints.at(-1)!];
    if (segmentPoints.length === 1) {
      paths.dots += `M${formatPoint(first)}h0`;
      continue;
    }
    const segments = curveSegments(segmentPoints);
    const hasPartialEnd = isLastPartial && last === points.at(-1);
    const fullSegments = hasPartialEnd ? segments.slice(0, -1) : segments;
    if (fullSegments.length > 0) paths.line += `M${formatPoint(first)}${fullSegments.join('')}`;
    if (hasPartialEnd) paths.partial = `M${formatPoint(segmentPoints.at(-2)!)}${segments.at(-1)!}`;
    paths.area += `M${formatPoint(first)}${segments.join('')}V${baseY}H${round(first[0])}Z`;
  }
  return paths;
}

function splitAtGaps(points: readonly (Point | undefined)[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point) runs.at(-1)!.push(point);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

/** Monotone cubic interpolation: a curve never leaves the range of its two end points. */
function curveSegments(run: readonly Point[]): string[] {
  const slopes = run.slice(1).map(([x, y], index) => (y - run[index]![1]) / (x - run[index]![0]));
  const tangents = run.map((_, index) => {
    const [before, after] = [slopes[index - 1] ?? 0, slopes[index] ?? 0];
    return before * after > 0 ? (2 * before * after) / (before + after) : 0;
  });
  return run.slice(1).map((to, index) => {
    const from = run[index]!;
    const thirdOfWidth = (to[0] - from[0]) / 3;
    const control1: Point = [from[0] + thirdOfWidth, from[1] + tangents[index]! * thirdOfWidth];
    const control2: Point = [to[0] - thirdOfWidth, to[1] - tangents[index + 1]! * thirdOfWidth];
    return `C${formatPoint(control1)} ${formatPoint(control2)} ${formatPoint(to)}`;
  });
}

function formatPoint([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
