const WIDTH = 240;
const HEIGHT = 48;

/** A decorative line chart without axes. The last segment, which leads to today, is dashed. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const numbers = values.map((value) => value ?? 0);
  const min = Math.min(0, ...numbers);
  // Not 0, so that a line of zeros lies at the bottom.
  const span = Math.max(0, ...numbers) - min || 1;
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = numbers.map((value, index) => {
    const height = HEIGHT - 2 - ((value - min) / span) * (HEIGHT - 4);
    return `${round(index * step)} ${round(height)}`;
  });
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="area" d={`M${points.join('L')}V${HEIGHT}H0Z`} />
      <path d={`M${points.slice(0, -1).join('L')}`} />
      <path d={`M${points.slice(-2).join('L')}`} stroke-dasharray="2 3" />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
