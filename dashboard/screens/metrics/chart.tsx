import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { DAY_MS } from '#contract/shared/durations.ts';
import { useElementSize } from '#dashboard/components/use-element-size.ts';
import { timeZone as browserTimeZone } from '#dashboard/time-zones.ts';
import './chart.css';
import { t } from '#dashboard/translate.ts';
import { colorClass, colorStyle, dashPatternOf, ChartLegend, type Line } from './chart-legend.tsx';
import { ChartOverlay } from './chart-overlay.tsx';
import { drawPaths } from './chart-path.ts';
import { PLOT_HEIGHT_PX, scaleFor, timeLabels, PLOT_WIDTH } from './chart-scale.ts';

export type { Line } from './chart-legend.tsx';

interface ChartProps {
  /** Start of each interval. All intervals are drawn equally wide. */
  times: readonly string[];
  lines: readonly Line[];
  formatTime: (intervalStart: number) => string;
  formatTick?: (value: number) => string;
  end: string;
  /** Called when a range is selected with the mouse. Without it, the chart cannot be zoomed. */
  onZoom?: (since: string, until: string) => void;
  /** Whether the last interval is not over yet. If so, the line ends before it. */
  isLastPartial?: boolean;
  /** Time zone of the labels. Defaults to that of the browser. */
  timeZone?: string;
}

const LABEL_WIDTH_PX = 84;

/** The axis has room for three digits per tick. */
const tickFormat = new Intl.NumberFormat(t.locale, {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** The arrow keys move between points, and dragging with the mouse zooms in. */
export function Chart(props: ChartProps) {
  const {
    times,
    lines,
    isLastPartial = false,
    timeZone = browserTimeZone,
    formatTick = (value: number) => tickFormat.format(value),
  } = props;
  const plotArea = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(plotArea);
  const hiddenColors = useSignal<ReadonlySet<number>>(new Set());
  const highlightedColor = useSignal<number | undefined>(undefined);
  const visibleLines = lines.filter(({ colorIndex }) => !hiddenColors.value.has(colorIndex));
  const hasSeveralSeries = lines.filter(({ isPrevious }) => !isPrevious).length > 1;
  const scale = scaleFor(
    visibleLines.flatMap(({ values }) => values.filter((value) => value !== null)),
  );
  const xOf = (index: number) =>
    times.length > 1 ? (index / (times.length - 1)) * PLOT_WIDTH : PLOT_WIDTH / 2;
  const yOf = (value: number) =>
    PLOT_HEIGHT_PX - ((value - scale.min) / (scale.max - scale.min)) * PLOT_HEIGHT_PX;
  const paths = useMemo(
    () =>
      visibleLines.map(({ values, isPrevious }) =>
        drawPaths(
          (isLastPartial && isPrevious ? values.slice(0, -1) : values).map((value, index) =>
            value == null ? undefined : [xOf(index), yOf(value)],
          ),
          yOf(Math.max(0, scale.min)),
          isLastPartial && !isPrevious,
        ),
      ),
    [times, lines, hiddenColors.value, isLastPartial],
  );
  return (
    <figure class="plot">
      {lines.length > 1 && (
        <ChartLegend
          lines={lines}
          hiddenColors={hiddenColors.value}
          onToggle={(colorIndex) =>
            (hiddenColors.value = toggleColor(hiddenColors.peek(), colorIndex, lines))
          }
          onHighlight={(colorIndex) => (highlightedColor.value = colorIndex)}
        />
      )}
      <div class="axes">
        <div class="marks" aria-hidden="true">
          {scale.ticks.toReversed().map((tick) => (
            <span key={tick}>{formatTick(tick)}</span>
          ))}
        </div>
        <div ref={plotArea} class="canvas">
          <svg
            viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT_PX}`}
            height={PLOT_HEIGHT_PX}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {scale.ticks.map((tick) => (
              <path
                key={tick}
                class={tick === 0 ? 'grid zero' : 'grid'}
                d={`M0 ${yOf(tick)}H${PLOT_WIDTH}`}
              />
            ))}
            {visibleLines.map((line, index) => (
              <LinePaths
                key={line.name}
                line={line}
                paths={paths[index]!}
                isFaint={![undefined, line.colorIndex].includes(highlightedColor.value)}
                hasArea={index === 0 && !line.isPrevious && !hasSeveralSeries}
              />
            ))}
          </svg>
          {isLastPartial && <SoFar lines={visibleLines} yOf={yOf} />}
          <ChartOverlay
            {...props}
            isLastPartial={isLastPartial}
            lines={visibleLines}
            showSwatches={lines.length > 1}
            xOf={xOf}
            yOf={yOf}
          />
        </div>
        <TimeLabels {...{ times, width, timeZone, xOf, isLastPartial }} />
      </div>
    </figure>
  );
}

/** Shows or hides a line. Hiding the last one shows all, so that the chart is never empty. */
function toggleColor(
  hiddenColors: ReadonlySet<number>,
  colorIndex: number,
  lines: readonly Line[],
): ReadonlySet<number> {
  const next = new Set(hiddenColors);
  if (!next.delete(colorIndex)) next.add(colorIndex);
  return lines.every((line) => next.has(line.colorIndex)) ? new Set() : next;
}

function LinePaths({
  line,
  paths,
  isFaint,
  hasArea,
}: {
  line: Line;
  paths: ReturnType<typeof drawPaths>;
  isFaint: boolean;
  hasArea: boolean;
}) {
  return (
    <g
      class={`${colorClass(line)}${isFaint ? ' faint' : ''}`}
      style={colorStyle(line)}
      stroke-dasharray={dashPatternOf(line)}
    >
      {hasArea && <path class="area" d={paths.area} />}
      <path d={paths.line} />
      <path class="partial" d={paths.partial} />
      {/* Ring, then its inside. */}
      <path class="dots hollow" d={paths.current} />
      <path class="dots hollow" d={paths.current} />
      <path class="dots" d={paths.dots} />
    </g>
  );
}

/** The number of the interval that is not over, if one line has one. */
function SoFar({ lines, yOf }: { lines: readonly Line[]; yOf: (value: number) => number }) {
  const [line, ...others] = lines.filter(({ isPrevious }) => !isPrevious);
  const value = line?.values.at(-1);
  if (value == null || others.length > 0) return null;
  return (
    <span class="so-far" style={{ top: `${yOf(value)}px` }} aria-hidden="true">
      {t.rich('<amount>{value}</amount> so far', {
        value: line!.format(value),
        amount: (children) => <strong>{children}</strong>,
      })}
    </span>
  );
}

function TimeLabels({
  times,
  width,
  timeZone,
  xOf,
  isLastPartial,
}: {
  times: readonly string[];
  width: number;
  timeZone: string;
  xOf: (index: number) => number;
  isLastPartial: boolean;
}) {
  const labels = timeLabels(
    times.map((at) => Date.parse(at)),
    Math.max(2, Math.floor(width / LABEL_WIDTH_PX)),
    timeZone,
  );
  return (
    <div class="labels" aria-hidden="true">
      {width > 0 &&
        labels.map(({ index, text }) => (
          <span
            key={index}
            class={index === 0 ? 'first' : index === times.length - 1 ? 'last' : undefined}
            style={{ left: `${(xOf(index) / PLOT_WIDTH) * 100}%` }}
          >
            {isLastPartial && index === times.length - 1 && isDay(times) ? (
              <strong>{t('Today')}</strong>
            ) : (
              text
            )}
          </span>
        ))}
    </div>
  );
}

/** Whether the intervals are days, some of which have 23 or 25 hours. */
function isDay([first, second]: readonly string[]): boolean {
  return Math.round((Date.parse(second ?? '') - Date.parse(first ?? '')) / DAY_MS) === 1;
}
