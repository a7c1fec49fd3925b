import { t } from '#dashboard/translate.ts';

interface Bar {
  label: string;
  value: number;
  previous: number;
}

const CHART_HEIGHT = 196;
const PLOT_TOP = 8;
const PLOT_BOTTOM = 170;
const BAR_WIDTH_PERCENT = 4;
const numberFormat = new Intl.NumberFormat(t.locale, { notation: 'compact' });

/**
 * A bar chart with each whole day beside the same day a week earlier. Horizontal positions are
 * percentages of the card's width.
 */
export function DayBars({ bars }: { bars: readonly Bar[] }) {
  const max = roundUp(Math.max(...bars.flatMap(({ value, previous }) => [value, previous])));
  const yOf = (value: number) => PLOT_BOTTOM - (value / max) * (PLOT_BOTTOM - PLOT_TOP);
  const ticks = [0, max / 2, max];
  const slotPercent = 100 / bars.length;
  return (
    <>
      <svg class="scale" height={CHART_HEIGHT} aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} y={yOf(tick) + 4}>
            {numberFormat.format(tick)}
          </text>
        ))}
      </svg>
      <svg
        class="days"
        height={CHART_HEIGHT}
        role="img"
        aria-label={t('Views of each day: {days}', {
          days: bars.map(({ label, value }) => `${label} ${value}`).join(', '),
        })}
      >
        {ticks.map((tick) => (
          <line key={tick} x2="100%" y1={yOf(tick)} y2={yOf(tick)} />
        ))}
        {bars.map(({ label, value, previous }, index) => {
          const middlePercent = (index + 0.5) * slotPercent;
          return (
            <g key={label}>
              <Column x={middlePercent - BAR_WIDTH_PERCENT - 0.25} y={yOf(previous)} isPrevious />
              <Column x={middlePercent + 0.25} y={yOf(value)} />
              <text x={`${middlePercent}%`} y={CHART_HEIGHT - 4} text-anchor="middle">
                {label}
              </text>
            </g>
          );
        })}
      </svg>
    </>
  );
}

function Column({ x, y, isPrevious = false }: { x: number; y: number; isPrevious?: boolean }) {
  if (y >= PLOT_BOTTOM) return null;
  return (
    <rect
      class={isPrevious ? 'earlier' : undefined}
      x={`${x}%`}
      width={`${BAR_WIDTH_PERCENT}%`}
      y={y}
      height={PLOT_BOTTOM - y}
      rx="3"
    />
  );
}

/** Rounds up to an even number with at most two significant digits, so its half is round, too. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1) * 2;
  return Math.max(2, Math.ceil(value / unit) * unit);
}
