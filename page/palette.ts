import { LRUCache } from 'lru-cache';
import type { CustomTheme } from '#contract/custom-theme.ts';
import type { PageSettingValues } from '#contract/page-settings.ts';
import { HEX_COLOUR_PATTERN } from '#contract/themes.ts';
import { between, contrastOf, farthest, readable, tinted, veiled } from './colours.ts';
import type { PublicSite } from './public-site.ts';
import { type SomeColours, designOf } from './themes/index.ts';

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
  usual: Palette;
  more: Palette;
}

/** Colours of a page: one set for everybody, or one for each scheme. */
export type PageColours = { every: Palettes } | { light: Palettes; dark: Palettes };

/** Contrast that the Web Content Accessibility Guidelines ask for: AA, and AAA. */
const USUAL = 4.5;
const MORE = 7;

interface Theme {
  theme_id: string | null;
  custom_theme: CustomTheme | null;
  background?: Background | undefined;
}

/** Colours that were computed of late: to find one takes longer than the rest of a page. */
const known = new LRUCache<string, PageColours>({ max: 500 });

/** The colours of a site: of its preset, else its own, else the default ones. */
export function coloursOf(theme: Theme): PageColours {
  const key = JSON.stringify(theme);
  const found = known.get(key) ?? findColours(theme);
  known.set(key, found);
  return found;
}

function findColours({ theme_id, custom_theme, background }: Theme): PageColours {
  const palettes = (base: SomeColours) => ({
    usual: paletteOf(base, USUAL, background),
    more: paletteOf(base, MORE, background),
  });
  const { colours, dark } = designOf(theme_id);
  const own = theme_id === null ? ownColours(custom_theme ?? {}) : {};
  // With a background of its own, a page is the same for everybody.
  if (own.bg !== undefined) return { every: palettes(own) };
  if (!dark) return { every: palettes(colours) };
  return { light: palettes({ ...colours, ...own }), dark: palettes({ ...dark, ...own }) };
}

/** The background that an owner chose, if it is more than one colour. */
export function backgroundOf({ background }: PageSettingValues): Background | undefined {
  return background === 'theme' || background === 'solid' ? undefined : background;
}

/** Whether the colours of a page are its owner's, not those of a theme. */
export function hasOwnColours(site: Pick<PublicSite, 'themeId' | 'customTheme'>): boolean {
  return site.themeId === null && Object.keys(ownColours(site.customTheme ?? {})).length > 0;
}

/** The colours of a theme that an owner made. */
function ownColours(theme: CustomTheme): SomeColours {
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

function paletteOf(base: SomeColours, contrast: number, background?: Background): Palette {
  const wanted = (base.bg ?? '#ffffff').toLowerCase();
  // Colours between light and dark, on which nothing can be read so well, move a little.
  const bg = readable(wanted, [farthest([wanted])], contrast);
  const text = readable(base.text ?? bg, [bg], contrast);
  const isLight = farthest([bg]) === '#000000';
  const surface = base.surface ?? (isLight ? between(bg, '#ffffff', 0.7) : between(bg, text, 0.06));
  const sunk = base.sunk ?? between(bg, text, isLight ? 0.06 : 0.12);
  const own = groundOf(background, { bg, text, accent: base.accent ?? base.ink ?? text }, contrast);
  const all = [bg, surface, sunk, ...own.grounds];
  const can = canStandOn(all, contrast);
  const grounds = can ? all : [bg, ...own.grounds];
  const on = (colour: string) => readable(colour, grounds, contrast);
  const ink = base.ink ?? text;
  const accent = on(base.accent ?? ink);
  const button = readable(base.button ?? base.accent ?? ink, [bg], contrast);
  return {
    bg,
    surface: can ? surface.toLowerCase() : bg,
    sunk: can ? sunk.toLowerCase() : bg,
    line: (base.line ?? between(bg, text, 0.16)).toLowerCase(),
    text: on(text),
    muted: on(base.muted ?? between(bg, text, 0.72)),
    ink: on(ink),
    accent,
    onAccent: readable(bg, [accent], contrast),
    button,
    onButton: readable(bg, [button], contrast),
    ...own.tokens,
  };
}

/** Whether there is a colour that can be read on all of some backgrounds. */
function canStandOn(grounds: readonly string[], contrast: number): boolean {
  return grounds.every((colour) => contrastOf(farthest(grounds), colour) >= contrast);
}

/** Shares of a second colour or of a picture that are tried, the strongest first. */
const SHARES = [0.3, 0.22, 0.15, 0.08, 0];

interface Ground {
  /** Colours that texts stand on because of it. */
  grounds: string[];
  tokens: Pick<Palette, 'glow' | 'scrim'>;
}

/** Ground that a background adds: as strong as texts on it can bear. */
function groundOf(
  background: Background | undefined,
  { bg, text, accent }: { bg: string; text: string; accent: string },
  contrast: number,
): Ground {
  if (!background) return { grounds: [], tokens: {} };
  const grounds = SHARES.map((share): Ground => {
    if (background === 'picture') {
      const alpha = Math.round((1 - share) * 255).toString(16);
      const extremes = ['#000000', '#ffffff'].map((under) => veiled(under, bg, 1 - share));
      return { grounds: extremes, tokens: { scrim: `${bg}${alpha}` } };
    }
    const glow =
      background === 'gradient' ? tinted(bg, accent, share) : between(bg, text, share / 2);
    return { grounds: [glow], tokens: { glow } };
  });
  return grounds.find((one) => canStandOn([bg, ...one.grounds], contrast)) ?? grounds.at(-1)!;
}
