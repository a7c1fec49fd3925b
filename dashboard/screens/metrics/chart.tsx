import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { useSize } from '#dashboard/parts/use-size.ts';
import './chart.css';
import { BEFORE, colourClass, dashOf, Legend, type Line } from './chart-legend.tsx';
import { draw } from './chart-path.ts';
import { Pointer } from './chart-pointer.tsx';
import { HEIGHT, scaleOf, timeLabels, WIDTH } from './chart-scale.ts';
import { timeZone as ownTimeZone } from './question.ts';

export type { Line } from './chart-legend.tsx';

interface ChartProps {
  /** Beginnings of the intervals, at equal distances. */
  times: readonly string[];
  /** Courses of numbers, one for each time. The area below the first one is filled. */
  lines: readonly Line[];
  /** Words for the interval that begins at a time. */
  time: (at: number) => string;
  number: (value: number) => string;
  /** End of the last interval. */
  end: string;
  /**
   * Called with the intervals over which the mouse was dragged, from the beginning of the first to the end
   * of the last; without it a plot cannot be zoomed.
   */
  onZoom?: (since: string, until: string) => void;
  /** Whether the last interval is not over yet: the piece that leads to it is dashed. */
  isOpen?: boolean;
  /** Time zone of the labels below the plot; that of the browser by itself. */
  timeZone?: string;
}

/** Room for each label below the plot, in pixels. */
const LABEL_WIDTH = 84;

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
  const { times, lines, isOpen = false, timeZone = ownTimeZone } = props;
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const hidden = useSignal<ReadonlySet<number>>(new Set());
  const highlighted = useSignal<number | undefined>(undefined);
  const shown = lines.filter(
    ({ colour, isBefore }) => !hidden.value.has(colour) && !(isBefore && hidden.value.has(BEFORE)),
  );
  const scale = scaleOf(shown.flatMap(({ values }) => values.filter((value) => value !== null)));
  const xOf = (index: number) =>
    times.length > 1 ? (index / (times.length - 1)) * WIDTH : WIDTH / 2;
  const yOf = (value: number) => HEIGHT - ((value - scale.low) / (scale.high - scale.low)) * HEIGHT;
  const drawn = useMemo(
    () =>
      shown.map(({ values }) =>
        draw(
          values.map((value, index) => (value == null ? undefined : [xOf(index), yOf(value)])),
          yOf(Math.max(0, scale.low)),
          isOpen,
        ),
      ),
    [times, lines, hidden.value, isOpen],
  );
  const labels = timeLabels(
    times.map((at) => Date.parse(at)),
    Math.max(2, Math.floor(width / LABEL_WIDTH)),
    timeZone,
  );
  const isFaint = ({ colour, isBefore }: Line) =>
    highlighted.value !== undefined &&
    (highlighted.value === BEFORE ? !isBefore : highlighted.value !== colour);
  return (
    <figure class="plot">
      {lines.length > 1 && (
        <Legend
          lines={lines}
          hidden={hidden.value}
          onToggle={(colour) => {
            const next = new Set(hidden.peek());
            if (!next.delete(colour)) next.add(colour);
            hidden.value = next;
          }}
          onHighlight={(colour) => (highlighted.value = colour)}
        />
      )}
      <div class="axes">
        <div class="marks" aria-hidden="true">
          {scale.marks.toReversed().map((mark) => (
            <span key={mark}>{compact.format(mark)}</span>
          ))}
        </div>
        <div ref={box} class="canvas">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            height={HEIGHT}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {scale.marks.map((mark) => (
              <path
                key={mark}
                class={mark === 0 ? 'grid zero' : 'grid'}
                d={`M0 ${yOf(mark)}H${WIDTH}`}
              />
            ))}
            {shown.map((line, index) => (
              <g
                key={line.name}
                class={`${colourClass(line)}${isFaint(line) ? ' faint' : ''}`}
                stroke-dasharray={dashOf(line)}
              >
                {index === 0 && !line.isBefore && <path class="area" d={drawn[index]!.area} />}
                <path d={drawn[index]!.line} />
                <path d={drawn[index]!.open} stroke-dasharray="2 4" />
                <path class="dots" d={drawn[index]!.dots} />
              </g>
            ))}
          </svg>
          <Pointer {...props} lines={shown} isNamed={lines.length > 1} xOf={xOf} yOf={yOf} />
        </div>
        <div class="labels" aria-hidden="true">
          {width > 0 &&
            labels.map(({ index, text }) => (
              <span
                key={index}
                class={index === 0 ? 'first' : index === times.length - 1 ? 'last' : undefined}
                style={{ left: `${(xOf(index) / WIDTH) * 100}%` }}
              >
                {text}
              </span>
            ))}
        </div>
      </div>
    </figure>
  );
}
