export interface MainColors {
  bg: string;
  text: string;
  accent?: string | undefined;
}

export interface DesignColors {
  light?: MainColors;
  /** Undefined if visitors see the same colors in light and dark mode. */
  dark?: MainColors;
  /** At the top of the page in both modes, if it differs. */
  head?: MainColors;
}

/**
 * Colors that the dashboard also draws designs with, as `#rrggbb`. The light colors of presets are
 * in `contract/themes.ts`.
 */
export const MAIN_COLORS = {
  default: {
    light: { bg: '#f7f6f3', text: '#3b3b38' },
    dark: { bg: '#0d0d0f', text: '#c6c6ca' },
  },
  paper: { dark: { bg: '#1a1714', text: '#d3c7b5', accent: '#e09a7c' } },
  daylight: { dark: { bg: '#0d1220', text: '#dbe4f2', accent: '#8ccbff' } },
  meadow: { dark: { bg: '#101d17', text: '#dbe7cf', accent: '#94cf74' } },
  blossom: { dark: { bg: '#1e1119', text: '#e2c6d2', accent: '#ff9fc0' } },
  gallery: {
    light: { bg: '#ffffff', text: '#2b2b2b' },
    dark: { bg: '#0e0e0e', text: '#d4d4d2' },
  },
  citrus: {
    light: { bg: '#ffe04a', text: '#2a2410', accent: '#a20d0b' },
    dark: { bg: '#17150b', text: '#efe6bf', accent: '#ff9a5c' },
  },
  velvet: {
    light: { bg: '#f8f1e6', text: '#4a3348', accent: '#7d4f0c' },
    dark: { bg: '#1a0e1e', text: '#e3d5df', accent: '#e0b766' },
    head: { bg: '#471850', text: '#fbeed6', accent: '#e0b766' },
  },
  notebook: {
    light: { bg: '#fcfaf2', text: '#33384a', accent: '#b1302b' },
    dark: { bg: '#1f2e2a', text: '#dce8e0', accent: '#ffb0a0' },
  },
} as const satisfies Readonly<Record<string, DesignColors>>;
