import './sparkline.css';

const WIDTH = 240;
const HEIGHT = 48;

/** A decorative line chart without axes. Null values are gaps. */
export function Sparkline({
  values,
  isTotal = false,
}: {
  values: readonly (number | null)[];
  /** Otherwise, the last value is of an incomplete time: a dot, to which no line falls. */
  isTotal?: boolean;
}) {
  const numbers = values.map((value) => value ?? 0);
  const min = Math.min(0, ...numbers);
  // Not 0, so that a line of zeros lies at the bottom.
  const span = Math.max(0, ...numbers) - min || 1;
  const step = WIDTH / Math.max(1, values.length - 1);
  const xOf = (index: number) => round(index * step);
  const points = values.map((value, index) => {
    if (value === null) return '';
    const height = HEIGHT - 2 - ((value - min) / span) * (HEIGHT - 4);
    return `${xOf(index)} ${round(height)}`;
  });
  // With round ends, a line of length 0 is a dot.
  const line = points
    .slice(0, isTotal ? undefined : -1)
    .map((point, index) => point && (points[index - 1] ? `L${point}` : `M${point}h0`));
  const area = line
    .map((path, index) => {
      const end = path && !line[index + 1] ? `V${HEIGHT}Z` : '';
      return path.replace('M', `M${xOf(index)} ${HEIGHT}L`) + end;
    })
    .join('');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="area" d={area} />
      <path d={line.join('')} />
      {!isTotal && points.at(-1) && <path class="today" d={`M${points.at(-1)}h0`} />}
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
