export interface Line {
  name: string;
  values: readonly (number | null)[];
  isPrevious: boolean;
  colorIndex: number;
  format: (value: number) => string;
}

/**
 * For the second line and those after it: the first has the color of the plate. The contrast with a card
 * is at least 3:1, in light and dark.
 */
const COLORS = [
  'light-dark(#c2630a, #f2a950)',
  'light-dark(#2c66cf, #86b2fa)',
  'light-dark(#9a3f9f, #dd95e2)',
  'light-dark(#7a7469, #a9a49a)',
  'light-dark(#0f6b7a, #67c9d8)',
  'light-dark(#8a6d00, #e6c84d)',
  'light-dark(#c0262d, #ff8a8a)',
  'light-dark(#5b7a0a, #b5d657)',
  'light-dark(#a3195b, #f58bbd)',
];
const COLOR_COUNT = COLORS.length + 1;
/** Dash patterns for lines 1 to 10, 11 to 20 and so on, because the ten colors repeat. */
const DASH_PATTERNS = ['', '8 4', '2 3', '8 3 2 3'];
const PREVIOUS_DASH = '4 4';

export function colorClass({
  colorIndex,
  isPrevious,
}: Pick<Line, 'colorIndex' | 'isPrevious'>): string {
  return isPrevious ? 'series before' : `series series-${(colorIndex % COLOR_COUNT) + 1}`;
}

export function colorStyle({ colorIndex, isPrevious }: Pick<Line, 'colorIndex' | 'isPrevious'>) {
  const color = COLORS[(colorIndex % COLOR_COUNT) - 1];
  return isPrevious || color === undefined ? undefined : { '--series': color };
}

export function dashPatternOf({ colorIndex, isPrevious }: Pick<Line, 'colorIndex' | 'isPrevious'>) {
  return (
    (isPrevious
      ? PREVIOUS_DASH
      : DASH_PATTERNS[Math.floor(colorIndex / COLOR_COUNT) % DASH_PATTERNS.length]) || undefined
  );
}

/** Each button shows or hides its line, and highlights the line on hover and focus. */
export function ChartLegend({
  lines,
  hiddenColors,
  onToggle,
  onHighlight,
}: {
  lines: readonly Line[];
  hiddenColors: ReadonlySet<number>;
  onToggle: (colorIndex: number) => void;
  onHighlight: (colorIndex: number | undefined) => void;
}) {
  return (
    <ul class="legend">
      {lines.map((line) => (
        <li key={line.name}>
          <button
            type="button"
            class="quiet"
            aria-pressed={!hiddenColors.has(line.colorIndex)}
            onClick={() => onToggle(line.colorIndex)}
            onPointerEnter={({ pointerType }) =>
              pointerType === 'mouse' && onHighlight(line.colorIndex)
            }
            onPointerLeave={() => onHighlight(undefined)}
            onFocus={() => onHighlight(line.colorIndex)}
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

export function LineSwatch({ line }: { line: Pick<Line, 'colorIndex' | 'isPrevious'> }) {
  const dashPattern = dashPatternOf(line);
  return (
    <svg
      class={`mark ${colorClass(line)}`}
      style={colorStyle(line)}
      viewBox="0 0 10 10"
      aria-hidden="true"
    >
      {dashPattern ? (
        <path d="M0 5h10" stroke-dasharray={dashPattern} />
      ) : (
        <rect width="10" height="10" rx="3" />
      )}
    </svg>
  );
}
