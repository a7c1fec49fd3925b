import { type Oklch, clampChroma, converter, formatHex, interpolate, wcagContrast } from 'culori';

const toOklch = converter('oklch');
const LIGHTNESS_STEP = 0.005;
/** A slight tint shows its hue, but hardly makes the color lighter or darker. */
const TINT_CHROMA_FACTOR = 3;
const TINT_LIGHTNESS_FACTOR = 0.6;

/**
 * Returns the color, or the closest lighter or darker one, with at least this contrast (WCAG 2.2)
 * to every background. If there is none, returns black or white.
 */
export function readableColor(
  color: string,
  backgrounds: readonly string[],
  contrast: number,
): string {
  // A round trip through OKLCH could change the color.
  if (backgrounds.every((background) => contrastOf(color, background) >= contrast))
    return color.toLowerCase();
  const start = toOklch(color) as Oklch;
  // White converts to a lightness slightly above 1.
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

/** Returns a ratio from 1 to 21 (WCAG 2.2). */
export function contrastOf(color: string, background: string): number {
  return wcagContrast(color, background);
}

/** `share` is the weight of `to`, from 0 to 1. */
export function mixColors(from: string, to: string, share: number): string {
  return formatHex(interpolate([from, to], 'oklab')(share));
}

/** Returns black or white, whichever has the higher minimum contrast to the backgrounds. */
export function blackOrWhite(backgrounds: readonly string[]): string {
  const minContrast = (color: string) =>
    Math.min(...backgrounds.map((background) => contrastOf(color, background)));
  return minContrast('#000000') > minContrast('#ffffff') ? '#000000' : '#ffffff';
}

/** Paints `overlayColor` over `color` with this opacity. */
export function overlay(color: string, overlayColor: string, opacity: number): string {
  return formatHex(interpolate([color, overlayColor], 'rgb')(opacity));
}

/** Gives `color` the hue of `tintColor`, and moves its chroma and lightness toward it. */
export function tint(color: string, tintColor: string, share: number): string {
  if (share === 0) return color;
  const from = toOklch(color) as Oklch;
  const to = toOklch(tintColor) as Oklch;
  const l = from.l + (to.l - from.l) * share * TINT_LIGHTNESS_FACTOR;
  const c = from.c + (Math.max(to.c, from.c) - from.c) * Math.min(1, share * TINT_CHROMA_FACTOR);
  return formatHex(
    clampChroma({ mode: 'oklch', l, c, ...(to.h !== undefined && { h: to.h }) }, 'oklch'),
  );
}
