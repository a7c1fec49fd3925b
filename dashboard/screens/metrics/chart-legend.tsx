/** A course of numbers in a plot. */
export interface Line {
  name: string;
  values: readonly (number | null)[];
  /** Whether it is of the time before. */
  isBefore: boolean;
  /** Which of the colours it has: that of the same line now, if it is of the time before. */
  colour: number;
}

const COLOURS = 10;
/** Dashes of the lines beyond the number of colours: each round of colours has its own. */
const DASHES = ['', '8 4', '2 3', '8 3 2 3'];
const BEFORE_DASH = '4 4';
/** Stands for all lines of the time before in the legend. */
export const BEFORE = -1;

/** Class that gives what is drawn of a line its colour. */
export function colourClass({ colour, isBefore }: Pick<Line, 'colour' | 'isBefore'>): string {
  return isBefore ? 'series before' : `series series-${(colour % COLOURS) + 1}`;
}

/** Dashes of a line, as SVG has them. */
export function dashOf({ colour, isBefore }: Pick<Line, 'colour' | 'isBefore'>) {
  return (
    (isBefore ? BEFORE_DASH : DASHES[Math.floor(colour / COLOURS) % DASHES.length]) || undefined
  );
}

/** Which line is which; each button hides or shows its line, and shows it alone while it is pointed at. */
export function Legend({
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
            class="quiet"
            aria-pressed={!hidden.has(line.colour)}
            onClick={() => onToggle(line.colour)}
            onPointerEnter={({ pointerType }) =>
              pointerType === 'mouse' && onHighlight(line.colour)
            }
            onPointerLeave={() => onHighlight(undefined)}
            onFocus={() => onHighlight(line.colour)}
            onBlur={() => onHighlight(undefined)}
          >
            <Mark line={line} />
            {line.name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Sign of a line: its colour, and its dashes if it has some. */
export function Mark({ line }: { line: Pick<Line, 'colour' | 'isBefore'> }) {
  const dash = dashOf(line);
  return (
    <svg class={`mark ${colourClass(line)}`} viewBox="0 0 10 10" aria-hidden="true">
      {dash ? <path d="M0 5h10" stroke-dasharray={dash} /> : <rect width="10" height="10" rx="3" />}
    </svg>
  );
}
