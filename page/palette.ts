import { LRUCache } from 'lru-cache';
import type { CustomTheme } from '#contract/custom-theme.ts';
import type { PageSettingValues } from '#contract/page-settings.ts';
import { HEX_COLOUR_PATTERN } from '#contract/themes.ts';
import { mixColours, contrastOf, blackOrWhite, readableColour, tint, overlay } from './colours.ts';
import type { PublicSite } from './public-site.ts';
import { type PartialColours, designOf } from './themes/index.ts';

/**
 * The colours of a page, as `#rrggbb`: the tokens of its style sheets. Every text among them can be
 * read on `bg`, `surface` and `sunk`.
 */
export interface Palette {
  /** Colour of the page. */
  bg: string;
  /** Colour of tiles, slightly apart from the page. */
  surface: string;
  /** Colour of what is set into a tile, such as an icon's ground. */
  sunk: string;
  /** Borders and rules. */
  line: string;
  /** Prose. */
  text: string;
  /** Notes. */
  muted: string;
  /** Names, headings and labels. */
  ink: string;
  accent: string;
  onAccent: string;
  /** Colour of filled buttons. */
  button: string;
  onButton: string;
  /** Second colour of a background that is a gradient or a pattern. */
  glow?: string;
  /** Veil over a picture behind the page, as `#rrggbbaa`. */
  scrim?: string;
}

/** Backgrounds of pages that are more than one colour. */
type Background = 'gradient' | 'pattern' | 'picture';

/** Palettes for visitors with and without a wish for more contrast. */
export interface Palettes {
  normal: Palette;
  highContrast: Palette;
}

/** Colours of a page: one set for everybody, or one for each scheme. */
export type PageColours = { single: Palettes } | { light: Palettes; dark: Palettes };

/** Contrast that the Web Content Accessibility Guidelines ask for: AA, and AAA. */
const AA_CONTRAST = 4.5;
const AAA_CONTRAST = 7;

interface ColourSettings {
  theme_id: string | null;
  custom_theme: CustomTheme | null;
  background?: Background | undefined;
}

/** Colours that were computed of late: to find one takes longer than the rest of a page. */
const coloursCache = new LRUCache<string, PageColours>({ max: 500 });

/** The colours of a site: of its preset, else its own, else the default ones. */
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
  // With a background of its own, a page is the same for everybody.
  if (custom.bg !== undefined) return { single: palettes(custom) };
  if (!dark) return { single: palettes(colours) };
  return { light: palettes({ ...colours, ...custom }), dark: palettes({ ...dark, ...custom }) };
}

/** The background that an owner chose, if it is more than one colour. */
export function backgroundOf({ background }: PageSettingValues): Background | undefined {
  return background === 'theme' || background === 'solid' ? undefined : background;
}

/** Whether the colours of a page are its owner's, not those of a theme. */
export function hasCustomColours(site: Pick<PublicSite, 'themeId' | 'customTheme'>): boolean {
  return site.themeId === null && Object.keys(customColours(site.customTheme ?? {})).length > 0;
}

/** The colours of a theme that an owner made. */
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

/** Looked at once more: what is stored may be older than the rules for it. */
function isColour(stored: string | undefined): stored is string {
  return stored !== undefined && HEX_COLOUR_PATTERN.test(stored);
}

function paletteOf(base: PartialColours, contrast: number, background?: Background): Palette {
  const requestedBg = (base.bg ?? '#ffffff').toLowerCase();
  // Colours between light and dark, on which nothing can be read so well, move a little.
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
  const all = [bg, surface, sunk, ...layer.grounds];
  const allReadable = canBeReadable(all, contrast);
  const colours = allReadable ? all : [bg, ...layer.grounds];
  const on = (colour: string) => readableColour(colour, colours, contrast);
  const ink = base.ink ?? text;
  const accent = on(base.accent ?? ink);
  const button = readableColour(base.button ?? base.accent ?? ink, [bg], contrast);
  return {
    bg,
    surface: allReadable ? surface.toLowerCase() : bg,
    sunk: allReadable ? sunk.toLowerCase() : bg,
    line: (base.line ?? mixColours(bg, text, 0.16)).toLowerCase(),
    text: on(text),
    muted: on(base.muted ?? mixColours(bg, text, 0.72)),
    ink: on(ink),
    accent,
    onAccent: readableColour(bg, [accent], contrast),
    button,
    onButton: readableColour(bg, [button], contrast),
    ...layer.tokens,
  };
}

/** Whether there is a colour that can be read on all of some backgrounds. */
function canBeReadable(grounds: readonly string[], contrast: number): boolean {
  return grounds.every((colour) => contrastOf(blackOrWhite(grounds), colour) >= contrast);
}

/** Shares of a second colour or of a picture that are tried, the strongest first. */
const STRENGTHS = [0.3, 0.22, 0.15, 0.08, 0];

interface BackgroundLayer {
  /** Colours that texts stand on because of it. */
  grounds: string[];
  tokens: Pick<Palette, 'glow' | 'scrim'>;
}

/** Ground that a background adds: as strong as texts on it can bear. */
function backgroundLayer(
  background: Background | undefined,
  { bg, text, accent }: { bg: string; text: string; accent: string },
  contrast: number,
): BackgroundLayer {
  if (!background) return { grounds: [], tokens: {} };
  const grounds = STRENGTHS.map((share): BackgroundLayer => {
    if (background === 'picture') {
      const alpha = Math.round((1 - share) * 255).toString(16);
      const extremes = ['#000000', '#ffffff'].map((under) => overlay(under, bg, 1 - share));
      return { grounds: extremes, tokens: { scrim: `${bg}${alpha}` } };
    }
    const glow =
      background === 'gradient' ? tint(bg, accent, share) : mixColours(bg, text, share / 2);
    return { grounds: [glow], tokens: { glow } };
  });
  return grounds.find((one) => canBeReadable([bg, ...one.grounds], contrast)) ?? grounds.at(-1)!;
}
