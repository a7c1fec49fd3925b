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
    const segments = segmentPoints.slice(1).map((point) => `L${formatPoint(point)}`);
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

function formatPoint([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
