import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { useSize } from '#dashboard/parts/use-size.ts';
import './chart.css';
import { PREVIOUS, colourClass, dashOf, ChartLegend, type Line } from './chart-legend.tsx';
import { drawPaths } from './chart-path.ts';
import { ChartOverlay } from './chart-overlay.tsx';
import { PLOT_HEIGHT, scaleFor, timeLabels, PLOT_WIDTH } from './chart-scale.ts';
import { timeZone as ownTimeZone } from './metrics-query.ts';

export type { Line } from './chart-legend.tsx';

interface ChartProps {
  /** Beginnings of the intervals, at equal distances. */
  times: readonly string[];
  /** Courses of numbers, one for each time. The area below the first one is filled. */
  lines: readonly Line[];
  /** Words for the interval that begins at a time. */
  formatTime: (at: number) => string;
  formatNumber: (value: number) => string;
  /** End of the last interval. */
  end: string;
  /**
   * Called with the intervals over which the mouse was dragged, from the beginning of the first to the end
   * of the last; without it a plot cannot be zoomed.
   */
  onZoom?: (since: string, until: string) => void;
  /** Whether the last interval is not over yet: the piece that leads to it is dashed. */
  isLastPartial?: boolean;
  /** Time zone of the labels below the plot; that of the browser by itself. */
  timeZone?: string;
}

/** Room for each label below the plot, in pixels. */
const LABEL_WIDTH_PX = 84;

/** Three digits are all that the marks of an axis have. */
const compact = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/**
 * A plot of numbers over time. A box at the pointer, at the finger or at the focus tells the numbers of
 * a point; the arrow keys go from point to point, and dragging the mouse zooms in.
 */
export function Chart(props: ChartProps) {
  const { times, lines, isLastPartial = false, timeZone = ownTimeZone } = props;
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const hidden = useSignal<ReadonlySet<number>>(new Set());
  const highlighted = useSignal<number | undefined>(undefined);
  const shown = lines.filter(
    ({ colourIndex, isPrevious }) =>
      !hidden.value.has(colourIndex) && !(isPrevious && hidden.value.has(PREVIOUS)),
  );
  const scale = scaleFor(shown.flatMap(({ values }) => values.filter((value) => value !== null)));
  const xOf = (index: number) =>
    times.length > 1 ? (index / (times.length - 1)) * PLOT_WIDTH : PLOT_WIDTH / 2;
  const yOf = (value: number) =>
    PLOT_HEIGHT - ((value - scale.low) / (scale.high - scale.low)) * PLOT_HEIGHT;
  const drawn = useMemo(
    () =>
      shown.map(({ values }) =>
        drawPaths(
          values.map((value, index) => (value == null ? undefined : [xOf(index), yOf(value)])),
          yOf(Math.max(0, scale.low)),
          isLastPartial,
        ),
      ),
    [times, lines, hidden.value, isLastPartial],
  );
  const labels = timeLabels(
    times.map((at) => Date.parse(at)),
    Math.max(2, Math.floor(width / LABEL_WIDTH_PX)),
    timeZone,
  );
  const isFaint = ({ colourIndex, isPrevious }: Line) =>
    highlighted.value !== undefined &&
    (highlighted.value === PREVIOUS ? !isPrevious : highlighted.value !== colourIndex);
  return (
    <figure class="plot">
      {lines.length > 1 && (
        <ChartLegend
          lines={lines}
          hidden={hidden.value}
          onToggle={(colourIndex) => {
            const next = new Set(hidden.peek());
            if (!next.delete(colourIndex)) next.add(colourIndex);
            hidden.value = next;
          }}
          onHighlight={(colourIndex) => (highlighted.value = colourIndex)}
        />
      )}
      <div class="axes">
        <div class="marks" aria-hidden="true">
          {scale.ticks.toReversed().map((mark) => (
            <span key={mark}>{compact.format(mark)}</span>
          ))}
        </div>
        <div ref={box} class="canvas">
          <svg
            viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`}
            height={PLOT_HEIGHT}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {scale.ticks.map((mark) => (
              <path
                key={mark}
                class={mark === 0 ? 'grid zero' : 'grid'}
                d={`M0 ${yOf(mark)}H${PLOT_WIDTH}`}
              />
            ))}
            {shown.map((line, index) => (
              <g
                key={line.name}
                class={`${colourClass(line)}${isFaint(line) ? ' faint' : ''}`}
                stroke-dasharray={dashOf(line)}
              >
                {index === 0 && !line.isPrevious && <path class="area" d={drawn[index]!.area} />}
                <path d={drawn[index]!.line} />
                <path d={drawn[index]!.open} stroke-dasharray="2 4" />
                <path class="dots" d={drawn[index]!.dots} />
              </g>
            ))}
          </svg>
          <ChartOverlay {...props} lines={shown} showNames={lines.length > 1} xOf={xOf} yOf={yOf} />
        </div>
        <div class="labels" aria-hidden="true">
          {width > 0 &&
            labels.map(({ index, text }) => (
              <span
                key={index}
                class={index === 0 ? 'first' : index === times.length - 1 ? 'last' : undefined}
                style={{ left: `${(xOf(index) / PLOT_WIDTH) * 100}%` }}
              >
                {text}
              </span>
            ))}
        </div>
      </div>
    </figure>
  );
}
