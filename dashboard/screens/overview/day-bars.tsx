import { t } from '#dashboard/translate.ts';

interface Bar {
  label: string;
  value: number;
  previous: number;
}

const BAR_WIDTH_PERCENT = 5;
const numberFormat = new Intl.NumberFormat(t.locale, { notation: 'compact' });

/**
 * A bar chart with each day beside the same day a week earlier, and the number of today. Positions
 * are percentages, so that the chart fills its card.
 */
export function DayBars({ bars }: { bars: readonly Bar[] }) {
  const max = roundUp(1.05 * Math.max(...bars.flatMap(({ value, previous }) => [value, previous])));
  const yOf = (value: number) => 100 - (value / max) * 100;
  const ticks = [max / 2, max];
  const slotPercent = 100 / bars.length;
  const middleOf = (index: number) => (index + 0.5) * slotPercent;
  return (
    <>
      <svg aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} y={`${yOf(tick)}%`} dy="4">
            {numberFormat.format(tick)}
          </text>
        ))}
      </svg>
      <svg
        role="img"
        aria-label={t('Views of each day: {days}', {
          days: bars.map(({ label, value }) => `${label} ${value}`).join(', '),
        })}
      >
        {[...ticks, 0].map((tick) => (
          <line key={tick} x2="100%" y1={`${yOf(tick)}%`} y2={`${yOf(tick)}%`} />
        ))}
        {bars.map(({ label, value, previous }, index) => (
          <g key={label}>
            <Column x={middleOf(index) - BAR_WIDTH_PERCENT - 0.25} y={yOf(previous)} isPrevious />
            <Column x={middleOf(index) + 0.25} y={yOf(value)} />
            {index === bars.length - 1 && value > 0 && (
              <text
                class="today"
                x={`${middleOf(index) + 0.25 + BAR_WIDTH_PERCENT / 2}%`}
                y={`${yOf(value)}%`}
                dy="-4"
                text-anchor="middle"
              >
                {numberFormat.format(value)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <svg class="days" aria-hidden="true">
        {bars.map(({ label }, index) => (
          <text
            key={label}
            class={index === bars.length - 1 ? 'today' : undefined}
            x={`${middleOf(index)}%`}
            y="100%"
            text-anchor="middle"
          >
            {label}
          </text>
        ))}
      </svg>
    </>
  );
}

function Column({ x, y, isPrevious = false }: { x: number; y: number; isPrevious?: boolean }) {
  if (y >= 100) return null;
  return (
    <rect
      class={isPrevious ? 'earlier' : undefined}
      x={`${x}%`}
      width={`${BAR_WIDTH_PERCENT}%`}
      y={`${y}%`}
      height={`${100 - y}%`}
      rx="4"
    />
  );
}

/** Rounds up to an even number with at most two significant digits, so its half is round, too. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1) * 2;
  return Math.max(2, Math.ceil(value / unit) * unit);
}
