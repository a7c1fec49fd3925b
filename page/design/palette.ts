import { LRUCache } from 'lru-cache';
import type { CustomTheme } from '#contract/custom-theme.ts';
import { THEME_DEFAULT, type PageSettingValues } from '#contract/shared/page-settings.ts';
import { HEX_COLOR_PATTERN } from '#contract/themes.ts';
import type { PublicSite } from '../public-site.ts';
import { type PartialColors, designOf } from '../themes/index.ts';
import { mixColors, contrastOf, blackOrWhite, readableColor, tint, overlay } from './colors.ts';

/**
 * Colors of a page, as `#rrggbb`. Each becomes a CSS variable. All text colors are readable on
 * `bg`, `surface` and `sunk`.
 */
export interface Palette {
  /** Page background. */
  bg: string;
  /** Tile background, slightly different from the page. */
  surface: string;
  /** Background of elements inside a tile, such as icons. */
  sunk: string;
  /** Borders and rules. */
  line: string;
  text: string;
  /** Secondary text. */
  muted: string;
  /** Names, headings and labels. */
  ink: string;
  accent: string;
  onAccent: string;
  /** Background of filled buttons. */
  button: string;
  onButton: string;
  /** Second color of a gradient or pattern background. */
  glow?: string;
  /** Overlay on a background picture, as `#rrggbbaa`. */
  scrim?: string;
}

type Background = 'gradient' | 'pattern' | 'picture';

/** `highContrast` is for visitors with `prefers-contrast: more`. */
export interface Palettes {
  normal: Palette;
  highContrast: Palette;
}

/** One set for all visitors, or one each for light and dark mode. */
export type PageColors = { single: Palettes } | { light: Palettes; dark: Palettes };

/** Contrast ratios of WCAG 2.2, levels AA and AAA. */
const AA_CONTRAST = 4.5;
const AAA_CONTRAST = 7;

interface ColorSettings {
  theme_id: string | null;
  custom_theme: CustomTheme | null;
  look?: PageSettingValues['look'];
  background?: Background | undefined;
}

/** Computing colors takes longer than the rest of a page. */
const colorsCache = new LRUCache<string, PageColors>({ max: 500 });

/** A look or a preset theme wins over custom colors. Without either, the default theme applies. */
export function colorsOf(theme: ColorSettings): PageColors {
  const key = JSON.stringify(theme);
  const colors = colorsCache.get(key) ?? computeColors(theme);
  colorsCache.set(key, colors);
  return colors;
}

function computeColors({ theme_id, custom_theme, look, background }: ColorSettings): PageColors {
  const palettes = (base: PartialColors) => ({
    normal: paletteOf(base, AA_CONTRAST, background),
    highContrast: paletteOf(base, AAA_CONTRAST, background),
  });
  const { colors, dark } = designOf(theme_id, look);
  const hasDesign = theme_id !== null || (look ?? THEME_DEFAULT) !== THEME_DEFAULT;
  const custom = !hasDesign ? customColors(custom_theme ?? {}) : {};
  // With a custom background color, a page looks the same in light and dark mode.
  if (custom.bg !== undefined) return { single: palettes(custom) };
  if (!dark) return { single: palettes(colors) };
  return { light: palettes({ ...colors, ...custom }), dark: palettes({ ...dark, ...custom }) };
}

/** Returns undefined if the background is a single color or left to the theme. */
export function backgroundOf({ background }: PageSettingValues): Background | undefined {
  return background === 'theme' || background === 'solid' ? undefined : background;
}

export function hasCustomColors(site: Pick<PublicSite, 'theme_id' | 'custom_theme'>): boolean {
  return site.theme_id === null && Object.keys(customColors(site.custom_theme ?? {})).length > 0;
}

function customColors(theme: CustomTheme): PartialColors {
  return {
    ...(isColor(theme.background_color) && { bg: theme.background_color }),
    ...(isColor(theme.text_color) && {
      text: theme.text_color,
      ink: theme.text_color,
      muted: undefined,
    }),
    ...(isColor(theme.primary_color) && { ink: theme.primary_color, button: theme.primary_color }),
    ...(isColor(theme.accent_color) && { accent: theme.accent_color }),
  };
}

/** Checks again, because a stored theme may be older than the current rules. */
function isColor(value: string | undefined): value is string {
  return value !== undefined && HEX_COLOR_PATTERN.test(value);
}

function paletteOf(base: PartialColors, contrast: number, background?: Background): Palette {
  const requestedBg = (base.bg ?? '#ffffff').toLowerCase();
  // No text is readable enough on some mid-tones, so shift such a background slightly.
  const bg = readableColor(requestedBg, [blackOrWhite([requestedBg])], contrast);
  const text = readableColor(base.text ?? bg, [bg], contrast);
  const isLight = blackOrWhite([bg]) === '#000000';
  const surface =
    base.surface ?? (isLight ? mixColors(bg, '#ffffff', 0.5) : mixColors(bg, text, 0.06));
  const sunk = base.sunk ?? mixColors(bg, text, isLight ? 0.06 : 0.12);
  const layer = backgroundLayer(
    background,
    { bg, text, accent: base.accent ?? base.ink ?? text },
    contrast,
  );
  const candidates = [bg, surface, sunk, ...layer.textBackgrounds];
  const allReadable = canBeReadable(candidates, contrast);
  const textBackgrounds = allReadable ? candidates : [bg, ...layer.textBackgrounds];
  const makeReadable = (color: string) => readableColor(color, textBackgrounds, contrast);
  const ink = base.ink ?? text;
  const accent = makeReadable(base.accent ?? ink);
  const button = readableColor(base.button ?? base.accent ?? ink, [bg], contrast);
  return {
    bg,
    surface: allReadable ? surface.toLowerCase() : bg,
    sunk: allReadable ? sunk.toLowerCase() : bg,
    line: (base.line ?? mixColors(bg, text, 0.16)).toLowerCase(),
    text: makeReadable(text),
    muted: makeReadable(base.muted ?? mixColors(bg, text, 0.72)),
    ink: makeReadable(ink),
    accent,
    onAccent: readableColor(bg, [accent], contrast),
    button,
    onButton: readableColor(bg, [button], contrast),
    ...layer.paletteColors,
  };
}

/** Whether black or white is readable on all of these backgrounds. */
function canBeReadable(backgrounds: readonly string[], contrast: number): boolean {
  return backgrounds.every((color) => contrastOf(blackOrWhite(backgrounds), color) >= contrast);
}

/** Strengths of the second color or picture to try, strongest first. */
const STRENGTHS = [0.3, 0.22, 0.15, 0.08, 0];

interface BackgroundLayer {
  /** Additional colors that text may appear on. */
  textBackgrounds: string[];
  paletteColors: Pick<Palette, 'glow' | 'scrim'>;
}

/** Returns the strongest gradient, pattern or picture on which text stays readable. */
function backgroundLayer(
  background: Background | undefined,
  { bg, text, accent }: { bg: string; text: string; accent: string },
  contrast: number,
): BackgroundLayer {
  if (!background) return { textBackgrounds: [], paletteColors: {} };
  const layers = STRENGTHS.map((strength): BackgroundLayer => {
    if (background === 'picture') {
      const alpha = Math.round((1 - strength) * 255).toString(16);
      const extremeColors = ['#000000', '#ffffff'].map((pictureColor) =>
        overlay(pictureColor, bg, 1 - strength),
      );
      return { textBackgrounds: extremeColors, paletteColors: { scrim: `${bg}${alpha}` } };
    }
    const glow =
      background === 'gradient' ? tint(bg, accent, strength) : mixColors(bg, text, strength / 2);
    return { textBackgrounds: [glow], paletteColors: { glow } };
  });
  return (
    layers.find((layer) => canBeReadable([bg, ...layer.textBackgrounds], contrast)) ??
    layers.at(-1)!
  );
}
