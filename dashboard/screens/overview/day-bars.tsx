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
            <Column
              x={middleOf(index) - BAR_WIDTH_PERCENT - 0.25}
              y={yOf(previous)}
              kind="earlier"
            />
            <Column
              x={middleOf(index) + 0.25}
              y={yOf(value)}
              kind={index === bars.length - 1 ? 'unfinished' : undefined}
            />
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

function Column({
  x,
  y,
  kind,
}: {
  x: number;
  y: number;
  kind?: 'earlier' | 'unfinished' | undefined;
}) {
  if (y >= 100) return null;
  return (
    <rect
      class={kind}
      x={`${x}%`}
      width={`${BAR_WIDTH_PERCENT}%`}
      y={`${y}%`}
      height={`${100 - y}%`}
      rx="4"
    />
  );
}

/** Rounds up to a number such as 4, 30 or 600, half of which is a whole number, too. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  const steps = [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * unit);
  return steps.find((step) => step >= value && step % 2 === 0)!;
}
