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

/** Pixels, and a share of the number; more for the width of a text. */
const [TOLERANCE, SHARE, TEXT_SHARE] = [8, 0.01, 0.05];
/** Letters that the fonts of the machine show. */
const FOREIGN = /[^\p{Script=Latin}\p{Script=Common}]/u;

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
  const [slackX, slackY] = measureSlack(pairs);
  const differs = (one: MeasuredElement, other: MeasuredElement) =>
    one.box.some((value, index) => {
      const share = index === 2 && one.lines > 0 ? TEXT_SHARE : SHARE;
      const allowed = TOLERANCE + share * Math.abs(value) + (index % 2 === 0 ? slackX : slackY);
      return Math.abs(value - other.box[index]!) > allowed;
    });
  const differences = pairs
    .filter(([, one, other]) => !one || !other || (!one.isInline && differs(one, other)))
    .map(
      ([key, one, other]) => `${key} is at ${String(one?.box)}, but here at ${String(other?.box)}`,
    );
  if (actual.overflow > expected.overflow) differences.push(`scrolls by ${actual.overflow} pixels`);
  return differences;
}

type Pair = readonly [
  key: string,
  one: MeasuredElement | undefined,
  other: MeasuredElement | undefined,
];

function measureSlack(pairs: readonly Pair[]): [x: number, y: number] {
  let [x, y] = [0, 0];
  for (const [, one, other] of pairs) {
    if (!one || !other) continue;
    const isOtherText = one.text !== other.text || FOREIGN.test(one.text);
    if (isOtherText) x += Math.abs(one.box[2] - other.box[2]);
    if (isOtherText || one.lines !== other.lines) y += Math.abs(one.box[3] - other.box[3]);
  }
  return [x, y];
}
