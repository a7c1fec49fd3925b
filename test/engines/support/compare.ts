/** What `measureFrames` of `frames.ts` returns for one page. */
export interface Measured {
  elements: Record<string, MeasuredElement>;
  /** Pixels by which the page scrolls sideways. */
  overflow: number;
}

interface MeasuredElement {
  /** Position in the parent's box, width, height. */
  box: [x: number, y: number, width: number, height: number];
  text: string;
  /** Lines of the element's own text. */
  lines: number;
  isInline: boolean;
}

/** Pixels, and this share of the number. */
const [TOLERANCE, RELATIVE_TOLERANCE] = [8, 0.01];

/**
 * Elements of two engines whose boxes differ. Where a text has another width or another number of
 * lines, all boxes of the page may differ by as much: engines round the widths of letters
 * differently, and times such as “2 minutes ago” go on between two measurements.
 */
export function compareBoxes(expected: Measured, actual: Measured): string[] {
  const keys = new Set([...Object.keys(expected.elements), ...Object.keys(actual.elements)]);
  const pairs = [...keys].map(
    (key) => [key, expected.elements[key], actual.elements[key]] as const,
  );
  const slack = { width: 0, height: 0 };
  for (const [, one, other] of pairs) {
    if (!one || !other) continue;
    if (one.text !== other.text) slack.width += Math.abs(one.box[2] - other.box[2]);
    if (one.text !== other.text || one.lines !== other.lines)
      slack.height += Math.abs(one.box[3] - other.box[3]);
  }
  const differs = (one: MeasuredElement, other: MeasuredElement) =>
    one.box.some((value, index) => {
      const allowed = TOLERANCE + RELATIVE_TOLERANCE * Math.abs(value);
      return (
        Math.abs(value - other.box[index]!) > allowed + (index % 2 ? slack.height : slack.width)
      );
    });
  const differences = pairs
    .filter(([, one, other]) => !one || !other || (!one.isInline && differs(one, other)))
    .map(
      ([key, one, other]) => `${key} is at ${String(one?.box)}, but here at ${String(other?.box)}`,
    );
  if (actual.overflow > expected.overflow) differences.push(`scrolls by ${actual.overflow} pixels`);
  return differences;
}
