import { type Oklch, clampChroma, converter, formatHex, interpolate, wcagContrast } from 'culori';

const toOklch = converter('oklch');
const LIGHTNESS_STEP = 0.005;

/**
 * The colour nearest to one, lighter or darker, that can be read on all of some backgrounds: with at
 * least this contrast (WCAG 2.2) to each.
 */
export function readableColour(
  colour: string,
  backgrounds: readonly string[],
  contrast: number,
): string {
  // To OKLCH and back, some would come out as others.
  if (backgrounds.every((on) => contrastOf(colour, on) >= contrast)) return colour.toLowerCase();
  const start = toOklch(colour) as Oklch;
  // White is a little beyond it.
  const lightness = Math.min(1, start.l);
  for (let distance = 0; distance <= 1; distance += LIGHTNESS_STEP)
    for (const l of [lightness + distance, lightness - distance]) {
      if (l < 0 || l > 1) continue;
      const candidate = formatHex(clampChroma({ ...start, l }, 'oklch'));
      if (backgrounds.every((background) => contrastOf(candidate, background) >= contrast))
        return candidate;
    }
  return blackOrWhite(backgrounds);
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrastOf(colour: string, background: string): number {
  return wcagContrast(colour, background);
}

/** A colour between two, `share` of the way from the first to the second. */
export function mixColours(from: string, to: string, share: number): string {
  return formatHex(interpolate([from, to], 'oklab')(share));
}

/** Which of black and white can be read best on some backgrounds. */
export function blackOrWhite(backgrounds: readonly string[]): string {
  const least = (colour: string) => Math.min(...backgrounds.map((on) => contrastOf(colour, on)));
  return least('#000000') > least('#ffffff') ? '#000000' : '#ffffff';
}

/** A colour seen through a veil of another, which has this opacity. */
export function overlay(colour: string, veil: string, opacity: number): string {
  return formatHex(interpolate([colour, veil], 'rgb')(opacity));
}

/** A colour with the hue of another: a little nearer to its lightness, and much nearer to its chroma. */
export function tint(colour: string, by: string, share: number): string {
  if (share === 0) return colour;
  const [from, to] = [toOklch(colour) as Oklch, toOklch(by) as Oklch];
  const l = from.l + (to.l - from.l) * share * 0.6;
  const c = from.c + (Math.max(to.c, from.c) - from.c) * Math.min(1, share * 3);
  return formatHex(
    clampChroma({ mode: 'oklch', l, c, ...(to.h !== undefined && { h: to.h }) }, 'oklch'),
  );
}
