import './sparkline.css';

const WIDTH = 240;
const HEIGHT = 48;

/**
 * A decorative line chart without axes. Null values are gaps. The last segment leads to an
 * incomplete time, so it is dashed and has no area.
 */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const numbers = values.map((value) => value ?? 0);
  const min = Math.min(0, ...numbers);
  // Not 0, so that a line of zeros lies at the bottom.
  const span = Math.max(0, ...numbers) - min || 1;
  const step = WIDTH / Math.max(1, values.length - 1);
  const xOf = (index: number) => round(index * step);
  const steps = values.map((value, index) => {
    if (value === null) return '';
    const height = HEIGHT - 2 - ((value - min) / span) * (HEIGHT - 4);
    const point = `${xOf(index)} ${round(height)}`;
    // With round ends, a line of length 0 is a dot.
    return values[index - 1] == null ? `M${point}h0` : `L${point}`;
  });
  const line = steps.slice(0, -1);
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
      <path d={steps.slice(-2).join('').replace(/^L/, 'M')} stroke-dasharray="1 4" />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
