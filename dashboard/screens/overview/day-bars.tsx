/** A day in the plot. */
interface Bar {
  name: string;
  value: number;
  /** Number of the same day a week before. */
  before: number;
}

const HEIGHT = 196;
const TOP = 8;
const BOTTOM = 170;
const WIDTH_PERCENT = 4;
const number = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** Numbers of days beside those of the days before. Places are in per cent, so that it is as wide as its card. */
export function DayBars({ bars }: { bars: readonly Bar[] }) {
  const top = roundUp(Math.max(...bars.flatMap(({ value, before }) => [value, before])));
  const yOf = (value: number) => BOTTOM - (value / top) * (BOTTOM - TOP);
  const marks = [0, top / 2, top];
  const slot = 100 / bars.length;
  return (
    <>
      <svg class="scale" height={HEIGHT} aria-hidden="true">
        {marks.map((mark) => (
          <text key={mark} y={yOf(mark) + 4}>
            {number.format(mark)}
          </text>
        ))}
      </svg>
      <svg
        class="days"
        height={HEIGHT}
        role="img"
        aria-label={`Views of each day: ${bars.map(({ name, value }) => `${name} ${value}`).join(', ')}`}
      >
        {marks.map((mark) => (
          <line key={mark} x2="100%" y1={yOf(mark)} y2={yOf(mark)} />
        ))}
        {bars.map(({ name, value, before }, index) => {
          const middle = (index + 0.5) * slot;
          return (
            <g key={name}>
              <Column x={middle - WIDTH_PERCENT - 0.25} y={yOf(before)} isBefore />
              <Column x={middle + 0.25} y={yOf(value)} />
              <text x={`${middle}%`} y={HEIGHT - 4} text-anchor="middle">
                {name}
              </text>
            </g>
          );
        })}
      </svg>
    </>
  );
}

function Column({ x, y, isBefore = false }: { x: number; y: number; isBefore?: boolean }) {
  if (y >= BOTTOM) return null;
  return (
    <rect
      class={isBefore ? 'earlier' : undefined}
      x={`${x}%`}
      width={`${WIDTH_PERCENT}%`}
      y={y}
      height={BOTTOM - y}
      rx="3"
    />
  );
}

/** The least even number of one or two digits, then zeros, that is as great. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1) * 2;
  return Math.max(2, Math.ceil(value / unit) * unit);
}
