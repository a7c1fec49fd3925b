/** The two ends of the plate's gradient, as `#rrggbb`. White text is readable on both. */
export interface PlateColors {
  top: string;
  bottom: string;
}

/** WCAG 2.2, level AA. */
const MIN_CONTRAST = 4.5;
const DARKENING_STEP = 0.98;
const BOTTOM_BRIGHTNESS = 0.64;

/** Without a color, the plate is green. Darkens a color on which white text is unreadable. */
export function plateColors(color: string | null): PlateColors {
  if (!color) return { top: '#17795a', bottom: '#0b4e39' };
  let channels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  while (contrastWithWhite(channels) < MIN_CONTRAST) channels = darken(channels, DARKENING_STEP);
  return { top: toHex(channels), bottom: toHex(darken(channels, BOTTOM_BRIGHTNESS)) };
}

function contrastWithWhite(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

function darken(channels: readonly number[], factor: number): number[] {
  return channels.map((channel) => Math.floor(channel * factor));
}

function toHex(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
