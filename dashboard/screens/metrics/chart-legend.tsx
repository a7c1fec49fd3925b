export interface Line {
  name: string;
  values: readonly (number | null)[];
  /** Whether the values are from the previous period. */
  isPrevious: boolean;
  /** A line of the previous period has the same index as the current line. */
  colourIndex: number;
}

const COLOUR_COUNT = 10;
/** Dash patterns for lines 1 to 10, 11 to 20 and so on, which reuse the colours. */
const DASHES = ['', '8 4', '2 3', '8 3 2 3'];
const PREVIOUS_DASH = '4 4';
/** Legend entry for all lines of the previous period, instead of a colour index. */
export const PREVIOUS = -1;

export function colourClass({
  colourIndex,
  isPrevious,
}: Pick<Line, 'colourIndex' | 'isPrevious'>): string {
  return isPrevious ? 'series before' : `series series-${(colourIndex % COLOUR_COUNT) + 1}`;
}

/** The `stroke-dasharray` of a line. */
export function dashOf({ colourIndex, isPrevious }: Pick<Line, 'colourIndex' | 'isPrevious'>) {
  return (
    (isPrevious ? PREVIOUS_DASH : DASHES[Math.floor(colourIndex / COLOUR_COUNT) % DASHES.length]) ||
    undefined
  );
}

/** Each button shows or hides its line, and highlights the line on hover and focus. */
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
  const currentLines = lines.filter(({ isPrevious }) => !isPrevious);
  const previousLine = lines.find(({ isPrevious }) => isPrevious);
  const entries = previousLine
    ? [...currentLines, { ...previousLine, name: 'Previous', colourIndex: PREVIOUS }]
    : currentLines;
  return (
    <ul class="legend">
      {entries.map((line) => (
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

export function LineSwatch({ line }: { line: Pick<Line, 'colourIndex' | 'isPrevious'> }) {
  const dash = dashOf(line);
  return (
    <svg class={`mark ${colourClass(line)}`} viewBox="0 0 10 10" aria-hidden="true">
      {dash ? <path d="M0 5h10" stroke-dasharray={dash} /> : <rect width="10" height="10" rx="3" />}
    </svg>
  );
}
