type Point = readonly [x: number, y: number];

export interface ChartPaths {
  line: string;
  area: string;
  /** From the base to the last point, if its interval is not over. */
  partial: string;
  /** That point. */
  current: string;
  /** The end of the line before that point, and points without a neighbor. */
  dots: string;
}

/** `undefined` points are gaps. `baseY` is the lower edge of the area below the line. */
export function drawPaths(
  points: readonly (Point | undefined)[],
  baseY: number,
  isLastPartial: boolean,
): ChartPaths {
  const paths: ChartPaths = { line: '', area: '', partial: '', current: '', dots: '' };
  const last = isLastPartial ? points.at(-1) : undefined;
  if (last) {
    const end = points.at(-2);
    if (end) paths.dots = `M${formatPoint(end)}h0`;
    paths.current = `M${formatPoint(last)}h0`;
    paths.partial = `M${round(last[0])} ${baseY}L${formatPoint(last)}`;
  }
  for (const segmentPoints of splitAtGaps(last ? points.slice(0, -1) : points)) {
    const first = segmentPoints[0]!;
    if (segmentPoints.length === 1) {
      const dot = `M${formatPoint(first)}h0`;
      if (dot !== paths.dots) paths.dots += dot;
      continue;
    }
    const segments = segmentPoints.slice(1).map((point) => `L${formatPoint(point)}`);
    paths.line += `M${formatPoint(first)}${segments.join('')}`;
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

function formatPoint([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
