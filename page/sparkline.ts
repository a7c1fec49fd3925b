type Points = readonly (number | undefined)[];

/** Keeps the stroke inside the drawing. */
const MARGIN = 2;

/** Bridges missing points. */
export function linePath(points: Points, width: number, height: number): string {
  const toY = createYScale(points, height, []);
  const step = (width - 2 * MARGIN) / Math.max(1, points.length - 1);
  const coordinates = points.flatMap((point, index) =>
    point === undefined ? [] : `${roundToTenth(MARGIN + index * step)} ${roundToTenth(toY(point))}`,
  );
  // A single point becomes a dot: a zero-length line with round caps.
  return `M${coordinates.join('L')}${coordinates.length === 1 ? 'h0' : ''}`;
}

export function areaPath(points: Points, width: number, height: number): string {
  const line = linePath(points, width, height);
  const startPosition = /^M[\d.]+/.exec(line)?.[0].slice(1) ?? '0';
  return `${line}V${height}H${startPosition}z`;
}

/** Bars start at zero. */
export function barPath(points: Points, width: number, height: number): string {
  const toY = createYScale(points, height, [0]);
  const step = width / points.length;
  const barWidth = step * 0.72;
  return points
    .map((point, index) => {
      if (point === undefined) return '';
      const x = roundToTenth(index * step + (step - barWidth) / 2);
      return `M${x} ${roundToTenth(toY(0))}V${roundToTenth(toY(point))}h${roundToTenth(barWidth)}V${roundToTenth(toY(0))}z`;
    })
    .join('');
}

/**
 * Maps the smallest value to the bottom and the largest to the top. If all values are equal, maps
 * them to the middle.
 */
function createYScale(
  points: Points,
  height: number,
  alwaysIncluded: readonly number[],
): (point: number) => number {
  const values = [...alwaysIncluded, ...points.filter((point) => point !== undefined)];
  const min = Math.min(...values);
  const max = Math.max(...values);
  const innerHeight = height - 2 * MARGIN;
  if (min === max) return () => height / 2;
  return (point) => height - MARGIN - ((point - min) / (max - min)) * innerHeight;
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
