import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type UPlot from 'uplot';
import { Failure } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { timeZone } from './question.ts';

/** A course of numbers in a plot. */
export interface Line {
  name: string;
  values: readonly (number | null)[];
  /** Whether it is of the time before. */
  isBefore: boolean;
  /** Which of the colours it has: that of the same line now, if it is of the time before. */
  colour: number;
}

interface ChartProps {
  times: readonly string[];
  lines: readonly Line[];
  time: (at: number) => string;
  number: (value: number) => string;
  onZoom: (since: string, until: string) => void;
}

const HEIGHT = 280;
const COLOURS = 10;
/** Dashes of the lines beyond the number of colours: each round of colours has its own. */
const DASHES: readonly number[][] = [[], [8, 4], [2, 3], [8, 3, 2, 3]];
const BEFORE_DASH = [4, 4];
/** Stands for all lines of the time before in the legend. */
const BEFORE = -1;
/** How many lines the box at the pointer names. */
const TIP_LINES = 8;
const scheme = matchMedia('(prefers-color-scheme: dark)');

/**
 * A plot of numbers over time. Dragging zooms; the arrow keys go from point to point, and what is
 * at a point is told in words below.
 */
export function Chart(props: ChartProps) {
  const { times, lines, time, number } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const at = useSignal<{ index: number; left: number }>();
  const hidden = useSignal<ReadonlySet<number>>(new Set());
  const isShown = ({ colour, isBefore }: Line) =>
    !hidden.value.has(colour) && !(isBefore && hidden.value.has(BEFORE));
  const latest = useRef(props);
  latest.current = props;
  const code = useLoaded(async () => (await import('uplot')).default);
  const Plot = code.value;
  useEffect(() => {
    const into = box.current;
    if (!into || !Plot) return undefined;
    const made = new Plot(
      optionsOf(into, latest, (point) => (at.value = point), Plot),
      dataOf(latest.current),
      into,
    );
    plot.current = made;
    hidden.value = new Set();
    const sizes = new ResizeObserver(() => {
      if (into.clientWidth === made.width) return;
      // Points are at other places then.
      at.value = undefined;
      made.setSize({ width: into.clientWidth, height: HEIGHT });
    });
    sizes.observe(into);
    const redraw = () => made.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      sizes.disconnect();
      made.destroy();
      plot.current = undefined;
    };
    // Names belong to the plot: others make another one. New numbers do not.
  }, [lines.map(({ name }) => name).join('\n'), Plot, at, hidden]);
  useEffect(() => plot.current?.setData(dataOf(props)), [times, lines]);
  useEffect(() => {
    for (const [index, line] of lines.entries())
      plot.current?.setSeries(index + 1, { show: isShown(line) });
  }, [hidden.value]);

  const move = (step: number) => {
    const next = Math.min(times.length - 1, Math.max(0, (at.peek()?.index ?? -1) + step));
    const made = plot.current;
    const left = made?.valToPos(Date.parse(times[next]!) / 1_000, 'x') ?? 0;
    at.value = { index: next, left };
    made?.setCursor({ left, top: 0 });
  };
  const point = at.value && times[at.value.index] !== undefined ? at.value : undefined;
  const shown = lines.filter(isShown);
  const valueOf = ({ values }: Line, index: number) =>
    values[index] == null ? '–' : number(values[index]);
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
          onHighlight={(colour) => {
            const index = lines.findIndex((line) => !line.isBefore && line.colour === colour);
            plot.current?.setSeries(index < 0 ? null : index + 1, { focus: true });
          }}
        />
      )}
      {code.failure && <Failure of={code} sentence="The plot could not be loaded." />}
      <div class="canvas" hidden={code.failure !== undefined}>
        <div
          ref={box}
          class="chart"
          role="group"
          aria-label="Plot. Use the arrow keys to move between points"
          tabIndex={0}
          onKeyDown={(event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[
              event.key
            ];
            if (step === undefined) return;
            event.preventDefault();
            move(step);
          }}
        />
        {point && plot.current && (
          <div
            class={point.left > plot.current.over.clientWidth / 2 ? 'tip flipped' : 'tip'}
            style={{ left: `${plot.current.over.offsetLeft + point.left}px` }}
            aria-hidden="true"
          >
            <p class="muted">{time(Date.parse(times[point.index]!))}</p>
            {shown.slice(0, TIP_LINES).map((line) => (
              <p key={line.name} class="row between">
                <span>
                  {lines.length > 1 && <Stroke line={line} />}
                  {line.name}
                </span>
                <strong>{valueOf(line, point.index)}</strong>
              </p>
            ))}
            {shown.length > TIP_LINES && <p class="muted">{shown.length - TIP_LINES} more</p>}
          </div>
        )}
      </div>
      <figcaption class="hint">
        Drag to zoom in.
        <span class="unseen" aria-live="polite">
          {point &&
            `${time(Date.parse(times[point.index]!))}: ${shown.map((line) => `${line.name} ${valueOf(line, point.index)}`).join(', ')}`}
        </span>
      </figcaption>
    </figure>
  );
}

/** Which line is which; each hides or shows its line and the one of the time before. */
function Legend({
  lines,
  hidden,
  onToggle,
  onHighlight,
}: {
  lines: readonly Line[];
  hidden: ReadonlySet<number>;
  onToggle: (colour: number) => void;
  onHighlight: (colour: number | undefined) => void;
}) {
  const marks = lines.filter(({ isBefore }) => !isBefore);
  const before = lines.find(({ isBefore }) => isBefore);
  const all = before ? [...marks, { ...before, name: 'Previous', colour: BEFORE }] : marks;
  return (
    <ul class="legend">
      {all.map((line) => (
        <li key={line.name}>
          <button
            type="button"
            class="link"
            aria-pressed={!hidden.has(line.colour)}
            onClick={() => onToggle(line.colour)}
            onMouseEnter={() => onHighlight(line.colour)}
            onMouseLeave={() => onHighlight(undefined)}
            onFocus={() => onHighlight(line.colour)}
            onBlur={() => onHighlight(undefined)}
          >
            <Stroke line={line} />
            {line.name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A piece of a line as it is in the plot. */
function Stroke({ line }: { line: Line }) {
  return (
    <svg class="stroke" viewBox="0 0 20 2" aria-hidden="true">
      <path
        d="M0 1h20"
        stroke={`var(${plotColour(line)})`}
        stroke-width="2"
        stroke-dasharray={dashOf(line).join(' ') || undefined}
      />
    </svg>
  );
}

function plotColour({ colour }: Line): string {
  return colour === BEFORE ? '--muted' : `--plot-${(colour % COLOURS) + 1}`;
}

function dashOf({ colour, isBefore }: Line): number[] {
  return isBefore ? BEFORE_DASH : DASHES[Math.floor(colour / COLOURS) % DASHES.length]!;
}

function dataOf({ times, lines }: ChartProps): UPlot.AlignedData {
  return [
    times.map((time) => Date.parse(time) / 1_000),
    ...lines.map(({ values }) => [...values]),
  ] as UPlot.AlignedData;
}

function optionsOf(
  into: HTMLElement,
  latest: { readonly current: ChartProps },
  onPoint: (point: { index: number; left: number } | undefined) => void,
  Plot: typeof UPlot,
): UPlot.Options {
  // Asked at each drawing. Canvas knows nothing of `light-dark()`: the browser resolves it in a
  // property that it knows.
  const colour = (name: string) => () => {
    into.style.borderColor = `var(${name})`;
    const { borderTopColor } = getComputedStyle(into);
    into.style.borderColor = '';
    return borderTopColor;
  };
  const [text, line] = [colour('--muted'), colour('--line')];
  const isAlone = latest.current.lines.filter(({ isBefore }) => !isBefore).length === 1;
  const axis = {
    font: `12px ${getComputedStyle(into).fontFamily}`,
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
  };
  return {
    width: into.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1_000), timeZone),
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false, setScale: false } },
    focus: { alpha: 0.25 },
    scales: { y: { range: (_plot, least, most) => rangeOf(least, most) } },
    axes: [axis, { ...axis, size: 64, values: (_plot, marks) => marks.map(short) }],
    series: [
      {},
      ...latest.current.lines.map((drawn) => ({
        label: drawn.name,
        stroke: colour(plotColour(drawn)),
        width: drawn.isBefore ? 1 : 2,
        dash: dashOf(drawn),
        spanGaps: false,
        points: { size: 5, show: false, filter: lonely },
        ...(isAlone && !drawn.isBefore && { fill: colour('--tint') }),
      })),
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left } }) =>
          onPoint(idx == null || left === undefined ? undefined : { index: idx, left }),
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 4) return;
          const timeAt = (x: number) => new Date(plot.posToVal(x, 'x') * 1_000).toISOString();
          latest.current.onZoom(timeAt(left), timeAt(left + width));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

/** Points without a neighbour, of which a line would show nothing. */
function lonely(plot: UPlot, series: number): number[] {
  const values = plot.data[series]!;
  return [...values.keys()].filter(
    (at) => values[at] != null && values[at - 1] == null && values[at + 1] == null,
  );
}

/** From zero on, unless there is something below. */
function rangeOf(least: number | null, most: number | null): [number, number] {
  const [low, high] = [Math.min(0, least ?? 0), Math.max(0, most ?? 0)];
  const room = (high - low) * 0.05 || 1;
  return [low < 0 ? low - room : 0, high + room];
}

/** Three digits are all that the marks of an axis have. */
const compact = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

function short(value: number): string {
  return compact.format(value);
}
