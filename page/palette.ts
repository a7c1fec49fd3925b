import { LRUCache } from 'lru-cache';
import type { CustomTheme } from '#contract/custom-theme.ts';
import type { PageSettingValues } from '#contract/page-settings.ts';
import { HEX_COLOUR_PATTERN } from '#contract/themes.ts';
import { mixColours, contrastOf, blackOrWhite, readableColour, tint, overlay } from './colours.ts';
import type { PublicSite } from './public-site.ts';
import { type PartialColours, designOf } from './themes/index.ts';

/**
 * Colours of a page, as `#rrggbb`; each becomes a CSS variable. All text colours are readable on
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
  /** Body text. */
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
  /** Second colour of a gradient or pattern background. */
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
export type PageColours = { single: Palettes } | { light: Palettes; dark: Palettes };

/** Contrast ratios of WCAG 2.2, levels AA and AAA. */
const AA_CONTRAST = 4.5;
const AAA_CONTRAST = 7;

interface ColourSettings {
  theme_id: string | null;
  custom_theme: CustomTheme | null;
  background?: Background | undefined;
}

/** Computing colours takes longer than the rest of a page. */
const coloursCache = new LRUCache<string, PageColours>({ max: 500 });

/** A preset theme wins over custom colours; without either, the default theme applies. */
export function coloursOf(theme: ColourSettings): PageColours {
  const key = JSON.stringify(theme);
  const found = coloursCache.get(key) ?? computeColours(theme);
  coloursCache.set(key, found);
  return found;
}

function computeColours({ theme_id, custom_theme, background }: ColourSettings): PageColours {
  const palettes = (base: PartialColours) => ({
    normal: paletteOf(base, AA_CONTRAST, background),
    highContrast: paletteOf(base, AAA_CONTRAST, background),
  });
  const { colours, dark } = designOf(theme_id);
  const custom = theme_id === null ? customColours(custom_theme ?? {}) : {};
  // With a custom background colour, a page looks the same in light and dark mode.
  if (custom.bg !== undefined) return { single: palettes(custom) };
  if (!dark) return { single: palettes(colours) };
  return { light: palettes({ ...colours, ...custom }), dark: palettes({ ...dark, ...custom }) };
}

/** Returns undefined for backgrounds of a single colour. */
export function backgroundOf({ background }: PageSettingValues): Background | undefined {
  return background === 'theme' || background === 'solid' ? undefined : background;
}

export function hasCustomColours(site: Pick<PublicSite, 'themeId' | 'customTheme'>): boolean {
  return site.themeId === null && Object.keys(customColours(site.customTheme ?? {})).length > 0;
}

function customColours(theme: CustomTheme): PartialColours {
  return {
    ...(isColour(theme.background_color) && { bg: theme.background_color }),
    ...(isColour(theme.text_color) && {
      text: theme.text_color,
      ink: theme.text_color,
      muted: undefined,
    }),
    ...(isColour(theme.primary_color) && { ink: theme.primary_color, button: theme.primary_color }),
    ...(isColour(theme.accent_color) && { accent: theme.accent_color }),
  };
}

/** Checked again, because a stored theme may be older than the current rules. */
function isColour(stored: string | undefined): stored is string {
  return stored !== undefined && HEX_COLOUR_PATTERN.test(stored);
}

function paletteOf(base: PartialColours, contrast: number, background?: Background): Palette {
  const requestedBg = (base.bg ?? '#ffffff').toLowerCase();
  // No text is readable enough on a mid-tone background, so shift it slightly.
  const bg = readableColour(requestedBg, [blackOrWhite([requestedBg])], contrast);
  const text = readableColour(base.text ?? bg, [bg], contrast);
  const isLight = blackOrWhite([bg]) === '#000000';
  const surface =
    base.surface ?? (isLight ? mixColours(bg, '#ffffff', 0.7) : mixColours(bg, text, 0.06));
  const sunk = base.sunk ?? mixColours(bg, text, isLight ? 0.06 : 0.12);
  const layer = backgroundLayer(
    background,
    { bg, text, accent: base.accent ?? base.ink ?? text },
    contrast,
  );
  const candidates = [bg, surface, sunk, ...layer.colours];
  const allReadable = canBeReadable(candidates, contrast);
  const textBackgrounds = allReadable ? candidates : [bg, ...layer.colours];
  const makeReadable = (colour: string) => readableColour(colour, textBackgrounds, contrast);
  const ink = base.ink ?? text;
  const accent = makeReadable(base.accent ?? ink);
  const button = readableColour(base.button ?? base.accent ?? ink, [bg], contrast);
  return {
    bg,
    surface: allReadable ? surface.toLowerCase() : bg,
    sunk: allReadable ? sunk.toLowerCase() : bg,
    line: (base.line ?? mixColours(bg, text, 0.16)).toLowerCase(),
    text: makeReadable(text),
    muted: makeReadable(base.muted ?? mixColours(bg, text, 0.72)),
    ink: makeReadable(ink),
    accent,
    onAccent: readableColour(bg, [accent], contrast),
    button,
    onButton: readableColour(bg, [button], contrast),
    ...layer.tokens,
  };
}

/** Whether black or white is readable on all of these backgrounds. */
function canBeReadable(backgrounds: readonly string[], contrast: number): boolean {
  return backgrounds.every((colour) => contrastOf(blackOrWhite(backgrounds), colour) >= contrast);
}

/** Strengths of the second colour or picture to try, strongest first. */
const STRENGTHS = [0.3, 0.22, 0.15, 0.08, 0];

interface BackgroundLayer {
  /** Additional colours that text may appear on. */
  colours: string[];
  tokens: Pick<Palette, 'glow' | 'scrim'>;
}

/** Returns the strongest gradient, pattern or picture on which text stays readable. */
function backgroundLayer(
  background: Background | undefined,
  { bg, text, accent }: { bg: string; text: string; accent: string },
  contrast: number,
): BackgroundLayer {
  if (!background) return { colours: [], tokens: {} };
  const layers = STRENGTHS.map((strength): BackgroundLayer => {
    if (background === 'picture') {
      const alpha = Math.round((1 - strength) * 255).toString(16);
      const extremes = ['#000000', '#ffffff'].map((under) => overlay(under, bg, 1 - strength));
      return { colours: extremes, tokens: { scrim: `${bg}${alpha}` } };
    }
    const glow =
      background === 'gradient' ? tint(bg, accent, strength) : mixColours(bg, text, strength / 2);
    return { colours: [glow], tokens: { glow } };
  });
  return layers.find((layer) => canBeReadable([bg, ...layer.colours], contrast)) ?? layers.at(-1)!;
}
