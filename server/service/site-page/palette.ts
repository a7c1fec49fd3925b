import { LRUCache } from 'lru-cache';
import type { CustomTheme } from '../../../contract/custom-theme.ts';
import { PALETTE } from '../../../contract/palette.ts';
import { HEX_COLOUR, type PresetTheme, THEMES } from '../../../contract/themes.ts';
import { between, contrastOf, farthest, readable } from './colours.ts';

/** The colours of a page, as `#rrggbb`; every text among them can be read on what it stands on. */
export interface Palette {
  background: string;
  /** Colour of cards, slightly apart from the page. */
  surface: string;
  border: string;
  text: string;
  muted: string;
  heading: string;
  link: string;
  button: string;
  onButton: string;
}

/** Palettes for visitors with and without a wish for more contrast. */
export interface Palettes {
  usual: Palette;
  more: Palette;
}

/** Colours that an owner chose: one for everybody, or nothing, which follows each visitor. */
export type PageColours = { every: Palettes } | { light: Palettes; dark: Palettes };

type Base = Partial<Record<'background' | 'text' | 'heading' | 'link', string>>;

/** Contrast that the Web Content Accessibility Guidelines ask for: AA, and AAA. */
const USUAL = 4.5;
const MORE = 7;

const LIGHT = visitorsBase('light');
const DARK = visitorsBase('dark');

function visitorsBase(scheme: 'light' | 'dark'): Base {
  const { background, text, accent } = PALETTE;
  return { background: background[scheme], text: text[scheme], link: accent[scheme] };
}

interface Theme {
  theme_id: string | null;
  custom_theme: CustomTheme | null;
}

/** Colours that were computed of late: to find one takes longer than the rest of a page. */
const known = new LRUCache<string, PageColours>({ max: 500 });

/** The colours of a site: of its preset, else its own, else those of the visitor. */
export function coloursOf(theme: Theme): PageColours {
  const key = JSON.stringify(theme);
  const found = known.get(key) ?? findColours(theme);
  known.set(key, found);
  return found;
}

function findColours(site: Theme): PageColours {
  const preset: PresetTheme | undefined = THEMES.find(({ id }) => id === site.theme_id);
  if (preset) {
    const { backgroundColor, textColor, accentColor } = preset.settings;
    return {
      every: palettes({ background: backgroundColor, text: textColor, link: accentColor }),
    };
  }
  const own: CustomTheme = site.custom_theme ?? {};
  const base = {
    ...(isColour(own.background_color) && { background: own.background_color }),
    ...(isColour(own.text_color) && { text: own.text_color }),
    ...(isColour(own.primary_color) && { heading: own.primary_color }),
    ...(isColour(own.accent_color) && { link: own.accent_color }),
  };
  // Without a background of its own the page keeps to the visitor's, in the colours that it has.
  if (base.background === undefined)
    return { light: palettes({ ...LIGHT, ...base }), dark: palettes({ ...DARK, ...base }) };
  return { every: palettes(base) };
}

/** Looked at once more: what is stored may be older than the rules for it. */
function isColour(stored: string | undefined): stored is string {
  return stored !== undefined && HEX_COLOUR.test(stored);
}

function palettes(base: Base): Palettes {
  return { usual: paletteOf(base, USUAL), more: paletteOf(base, MORE) };
}

function paletteOf(base: Base, contrast: number): Palette {
  const wanted = (base.background ?? '#ffffff').toLowerCase();
  // Between light and dark lie colours on which nothing can be read so well: these move a little.
  const background = readable(wanted, [farthest([wanted])], contrast);
  const text = readable(base.text ?? background, [background], contrast);
  const tinted = between(background, text, 0.05);
  const both = [background, tinted];
  const can = both.every((colour) => contrastOf(farthest(both), colour) >= contrast);
  const backgrounds = can ? both : [background];
  const on = (colour: string) => readable(colour, backgrounds, contrast);
  const button = readable(base.heading ?? base.link ?? text, [background], contrast);
  return {
    background,
    surface: can ? tinted : background,
    border: between(background, text, 0.18),
    text: on(text),
    muted: on(between(background, text, 0.72)),
    heading: on(base.heading ?? text),
    link: on(base.link ?? base.heading ?? text),
    button,
    onButton: readable(background, [button], contrast),
  };
}
