const WIDTH = 240;
const HEIGHT = 48;

/** A course of numbers without axes; what it says is said in words beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const top = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const line = values
    .map((value, index) => {
      const height = HEIGHT - 2 - (value / top) * (HEIGHT - 4);
      return `${index === 0 ? 'M' : 'L'}${round(index * step)} ${round(height)}`;
    })
    .join('');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="area" d={`${line}V${HEIGHT}H0Z`} />
      <path d={line} />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
