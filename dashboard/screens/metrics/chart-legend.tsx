/** A course of numbers in a plot. */
export interface Line {
  name: string;
  values: readonly (number | null)[];
  /** Whether it is of the time before. */
  isPrevious: boolean;
  /** Which of the colours it has: that of the same line now, if it is of the time before. */
  colourIndex: number;
}

const COLOUR_COUNT = 10;
/** Dashes of the lines beyond the number of colours: each round of colours has its own. */
const DASHES = ['', '8 4', '2 3', '8 3 2 3'];
const PREVIOUS_DASH = '4 4';
/** Stands for all lines of the time before in the legend. */
export const PREVIOUS = -1;

/** Class that gives what is drawn of a line its colour. */
export function colourClass({
  colourIndex,
  isPrevious,
}: Pick<Line, 'colourIndex' | 'isPrevious'>): string {
  return isPrevious ? 'series before' : `series series-${(colourIndex % COLOUR_COUNT) + 1}`;
}

/** Dashes of a line, as SVG has them. */
export function dashOf({ colourIndex, isPrevious }: Pick<Line, 'colourIndex' | 'isPrevious'>) {
  return (
    (isPrevious ? PREVIOUS_DASH : DASHES[Math.floor(colourIndex / COLOUR_COUNT) % DASHES.length]) ||
    undefined
  );
}

/** Which line is which; each button hides or shows its line, and shows it alone while it is pointed at. */
export function ChartLegend({
  lines,
  hidden,
  onToggle,
  onHighlight,
}: {
  lines: readonly Line[];
  hidden: ReadonlySet<number>;
  onToggle: (colourIndex: number) => void;
  onHighlight: (colourIndex: number | undefined) => void;
}) {
  const marks = lines.filter(({ isPrevious }) => !isPrevious);
  const before = lines.find(({ isPrevious }) => isPrevious);
  const all = before ? [...marks, { ...before, name: 'Previous', colourIndex: PREVIOUS }] : marks;
  return (
    <ul class="legend">
      {all.map((line) => (
        <li key={line.name}>
          <button
            type="button"
            class="quiet"
            aria-pressed={!hidden.has(line.colourIndex)}
            onClick={() => onToggle(line.colourIndex)}
            onPointerEnter={({ pointerType }) =>
              pointerType === 'mouse' && onHighlight(line.colourIndex)
            }
            onPointerLeave={() => onHighlight(undefined)}
            onFocus={() => onHighlight(line.colourIndex)}
            onBlur={() => onHighlight(undefined)}
          >
            <LineSwatch line={line} />
            {line.name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Sign of a line: its colour, and its dashes if it has some. */
export function LineSwatch({ line }: { line: Pick<Line, 'colourIndex' | 'isPrevious'> }) {
  const dash = dashOf(line);
  return (
    <svg class={`mark ${colourClass(line)}`} viewBox="0 0 10 10" aria-hidden="true">
      {dash ? <path d="M0 5h10" stroke-dasharray={dash} /> : <rect width="10" height="10" rx="3" />}
    </svg>
  );
}
