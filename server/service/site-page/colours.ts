import { type Oklch, clampChroma, converter, formatHex, interpolate, wcagContrast } from 'culori';

const toOklch = converter('oklch');
const STEP = 0.005;

/**
 * The colour nearest to one, lighter or darker, that can be read on all of some backgrounds: with at
 * least this contrast (WCAG 2.2) to each.
 */
export function readable(colour: string, backgrounds: readonly string[], contrast: number): string {
  const found = [1, -1]
    .map((direction) => moved(colour, backgrounds, contrast, direction))
    .filter((candidate) => candidate !== undefined)
    .toSorted((a, b) => a.distance - b.distance);
  return found[0]?.colour ?? farthest(backgrounds);
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrastOf(colour: string, background: string): number {
  return wcagContrast(colour, background);
}

/** A colour between two, `share` of the way from the first to the second. */
export function between(from: string, to: string, share: number): string {
  return formatHex(interpolate([from, to], 'oklab')(share));
}

/** Which of black and white can be read best on some backgrounds. */
export function farthest(backgrounds: readonly string[]): string {
  const least = (colour: string) => Math.min(...backgrounds.map((on) => contrastOf(colour, on)));
  return least('#000000') > least('#ffffff') ? '#000000' : '#ffffff';
}

function moved(
  colour: string,
  backgrounds: readonly string[],
  contrast: number,
  direction: number,
): { colour: string; distance: number } | undefined {
  const start = toOklch(colour) as Oklch;
  for (let distance = 0; distance <= 1; distance += STEP) {
    const lightness = start.l + direction * distance;
    if (lightness < 0 || lightness > 1) return undefined;
    const candidate = formatHex(clampChroma({ ...start, l: lightness }, 'oklch'));
    if (backgrounds.every((background) => contrastOf(candidate, background) >= contrast))
      return { colour: candidate, distance };
  }
  return undefined;
}
