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
const COLOURS = 6;
const DASHES = [4, 4];
const scheme = matchMedia('(prefers-color-scheme: dark)');

/**
 * A plot of numbers over time. Dragging zooms; the arrow keys go from point to point, and what is
 * at a point is told in words below.
 */
export function Chart(props: ChartProps) {
  const { times, lines, time, number } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const at = useSignal<number>();
  const latest = useRef(props);
  latest.current = props;
  const code = useLoaded(async () => (await import('uplot')).default);
  const Plot = code.value;
  useEffect(() => {
    const into = box.current;
    if (!into || !Plot) return undefined;
    const made = new Plot(
      optionsOf(into, latest, (index) => (at.value = index), Plot),
      dataOf(latest.current),
      into,
    );
    plot.current = made;
    const sizes = new ResizeObserver(() =>
      made.setSize({ width: into.clientWidth, height: HEIGHT }),
    );
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
  }, [lines.map(({ name }) => name).join('\n'), Plot, at]);
  useEffect(() => plot.current?.setData(dataOf(props)), [times, lines]);

  const move = (step: number) => {
    const next = Math.min(times.length - 1, Math.max(0, (at.peek() ?? -1) + step));
    at.value = next;
    const made = plot.current;
    made?.setCursor({ left: made.valToPos(Date.parse(times[next]!) / 1_000, 'x'), top: 0 });
  };
  const index = at.value;
  return (
    <figure class="plot">
      {lines.length > 1 && <Legend lines={lines} />}
      {code.failure && <Failure of={code} sentence="The plot could not be loaded." />}
      <div
        ref={box}
        hidden={code.failure !== undefined}
        class="chart"
        role="group"
        aria-label="Plot; the arrow keys go from point to point"
        tabIndex={0}
        onKeyDown={(event) => {
          const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          move(step);
        }}
      />
      <figcaption class="hint" aria-live="polite">
        {index === undefined || times[index] === undefined
          ? 'Drag over a part to see it alone.'
          : `${time(Date.parse(times[index]))}: ${lines.map(({ name, values }) => `${name} ${values[index] == null ? '–' : number(values[index])}`).join(', ')}`}
      </figcaption>
    </figure>
  );
}

/** Which line is which; those of the time before have the colours of those now. */
function Legend({ lines }: { lines: readonly Line[] }) {
  const marks = lines
    .filter(({ isBefore }) => !isBefore)
    .map(({ name, colour }) => ({ name, stroke: plotColour(colour), dashes: '' }));
  if (marks.length < lines.length)
    marks.push({ name: 'Before', stroke: '--muted', dashes: DASHES.join(' ') });
  return (
    <ul class="legend">
      {marks.map(({ name, stroke, dashes }) => (
        <li key={name}>
          <svg viewBox="0 0 20 2" aria-hidden="true">
            <path
              d="M0 1h20"
              stroke={`var(${stroke})`}
              stroke-width="2"
              stroke-dasharray={dashes || undefined}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

function plotColour(colour: number): string {
  return `--plot-${(colour % COLOURS) + 1}`;
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
  onPoint: (index: number | undefined) => void,
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
  const axis = {
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
    scales: { y: { range: (_plot, least, most) => rangeOf(least, most) } },
    axes: [axis, { ...axis, size: 64, values: (_plot, marks) => marks.map(short) }],
    series: [
      {},
      ...latest.current.lines.map((drawn) => ({
        label: drawn.name,
        stroke: colour(plotColour(drawn.colour)),
        width: drawn.isBefore ? 1 : 2,
        spanGaps: false,
        ...(drawn.isBefore ? { dash: DASHES, points: { show: false } } : { points: { size: 5 } }),
      })),
    ],
    hooks: {
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? undefined)],
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

/** From zero on, unless there is something below. */
function rangeOf(least: number | null, most: number | null): [number, number] {
  const [low, high] = [Math.min(0, least ?? 0), Math.max(0, most ?? 0)];
  const room = (high - low) * 0.05 || 1;
  return [low < 0 ? low - room : 0, high + room];
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });

function short(value: number): string {
  return compact.format(value);
}
