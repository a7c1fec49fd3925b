import type { FontFamily } from '#contract/shared/fonts.ts';
import { THEME_DEFAULT, type PageSettingValues } from '#contract/shared/page-settings.ts';
import { THEMES } from '#contract/themes.ts';
import { type Html, trustedHtml } from '../html/html.ts';
import { MAIN_COLORS } from './main-colors.ts';

/** Theme colors, as `#rrggbb`. `palette.ts` derives missing ones and keeps text readable. */
interface ThemeColors {
  bg: string;
  surface: string;
  sunk: string;
  line: string;
  text: string;
  muted: string;
  ink: string;
  accent: string;
  button: string;
}

export type PartialColors = { readonly [Name in keyof ThemeColors]?: string | undefined };

/**
 * Each `sheet` has a second file in `sparse/`, for pages with few blocks. Each design has a file in
 * `list/`, for pages that are a list of links.
 */
export interface ThemeDesign {
  name: string;
  /** Style sheet of the default theme's tiles, which looks change. */
  tileSheet?: string;
  sheet?: string | undefined;
  /** Style sheets that several designs share. */
  sharedSheets?: readonly string[] | undefined;
  /** Style sheet that is left out if the owner sets custom colors. */
  colorSheet?: string | undefined;
  /** Fonts; `heading` defaults to `body`. */
  body: FontFamily;
  heading?: FontFamily;
  /** For light mode if `dark` is set, otherwise for all visitors. */
  colors: PartialColors;
  dark?: PartialColors;
  /** For the link preview. The page's style sheets have their own shapes. */
  hasSquareAvatar?: true;
  /** Whether events are rows on wide screens, too, instead of tiles. */
  hasEventRows?: true;
  /** SVG at the bottom of the page. */
  decoration?: Html;
}

const DEFAULT_DESIGN: ThemeDesign = {
  name: 'default',
  tileSheet: 'bento',
  sheet: 'default',
  sharedSheets: ['side'],
  colorSheet: 'default-colors',
  body: 'Inter',
  colors: {
    ...MAIN_COLORS.default.light,
    surface: '#ffffff',
    sunk: '#f0f0ec',
    line: '#e7e7e2',
    muted: '#666661',
    ink: '#151513',
  },
  dark: {
    ...MAIN_COLORS.default.dark,
    surface: '#18181b',
    sunk: '#242428',
    line: '#2a2a2f',
    muted: '#9c9ca3',
    ink: '#f6f6f4',
  },
};

/** Hills with a sun. `meadow.css` colors them for light and dark mode. */
const HILLS = trustedHtml(
  '<svg class="hills" viewBox="0 0 1440 260" preserveAspectRatio="xMidYMax slice" aria-hidden="true">' +
    '<circle class="sun" cx="790" cy="118" r="50"/>' +
    '<path class="far" d="M0 150C170 70 330 62 520 118s330 62 500 2 300-56 420-8v148H0"/>' +
    '<path class="mid" d="M0 186c210-64 400-40 600 4s420 36 840-52v122H0"/>' +
    '<g class="trees"><path d="M606 196v-34M634 198v-24"/><circle cx="606" cy="150" r="22"/><circle cx="634" cy="166" r="15"/></g>' +
    '<path class="near" d="M0 222c260-44 460-14 720-4s500-22 720-24v66H0"/>' +
    '<path class="flowers" d="M560 226h0M588 236h0M690 232h0M872 230h0M330 218h0M250 232h0M1190 216h0"/></svg>',
);

type ThemeKey = Lowercase<(typeof THEMES)[number]['name']>;

type PresetDesign = Omit<ThemeDesign, 'name' | 'tileSheet' | 'sheet' | 'colorSheet'>;

const DESIGNS: Readonly<Record<ThemeKey, PresetDesign>> = {
  paper: {
    sharedSheets: ['flat'],
    hasSquareAvatar: true,
    hasEventRows: true,
    body: 'Lora',
    heading: 'Playfair Display',
    colors: {
      sunk: '#ebe3d3',
      surface: '#f5efe3',
      line: '#cfc3ac',
      muted: '#6d6152',
      ink: '#211a12',
    },
    dark: {
      ...MAIN_COLORS.paper.dark,
      surface: '#1a1714',
      sunk: '#25201b',
      line: '#413930',
      muted: '#a3968a',
      ink: '#f2e9da',
    },
  },
  daylight: {
    body: 'Inter',
    colors: {
      surface: '#ffffff',
      sunk: '#eaf3fb',
      line: '#e4ecf4',
      muted: '#4a5b70',
      ink: '#14243a',
    },
    dark: {
      ...MAIN_COLORS.daylight.dark,
      surface: '#182136',
      sunk: '#22304c',
      line: '#2a3752',
      muted: '#a9b6ca',
      ink: '#eef3fb',
    },
  },
  meadow: {
    body: 'Nunito',
    decoration: HILLS,
    colors: {
      surface: '#ffffff',
      sunk: '#e6ecd0',
      line: '#d9e4c8',
      muted: '#4f6455',
      ink: '#20382a',
    },
    dark: {
      ...MAIN_COLORS.meadow.dark,
      surface: '#1a2c22',
      sunk: '#22382b',
      line: '#2d4436',
      muted: '#a9bfad',
      ink: '#eef5e4',
    },
  },
  blossom: {
    body: 'Nunito',
    heading: 'Playfair Display',
    colors: {
      surface: '#fffafa',
      sunk: '#fbdfe7',
      line: '#f6d3de',
      muted: '#845868',
      ink: '#421b2c',
    },
    dark: {
      ...MAIN_COLORS.blossom.dark,
      surface: '#2b1a25',
      sunk: '#43233a',
      line: '#4a2f40',
      muted: '#c29bab',
      ink: '#ffeef4',
    },
  },
  midnight: {
    sharedSheets: ['side'],
    body: 'Space Grotesk',
    colors: {
      surface: '#151a3c',
      sunk: '#1f2549',
      line: '#2c3360',
      muted: '#bcc5e8',
      ink: '#eef1ff',
    },
  },
  ember: {
    hasSquareAvatar: true,
    hasEventRows: true,
    body: 'Space Grotesk',
    colors: {
      surface: '#221b17',
      sunk: '#2c231e',
      line: '#fff1e3',
      muted: '#c9b5a5',
      ink: '#fff1e3',
    },
  },
  terminal: {
    sharedSheets: ['side', 'flat'],
    hasSquareAvatar: true,
    hasEventRows: true,
    body: 'JetBrains Mono',
    colors: {
      surface: '#0b0d0c',
      sunk: '#151917',
      line: '#465049',
      muted: '#a0aba3',
      ink: '#e9f0ea',
    },
  },
};

type Look = Exclude<NonNullable<PageSettingValues['look']>, typeof THEME_DEFAULT>;

/** They change the default theme, with `styles/settings/look-<look>.css`. */
const LOOKS: Readonly<Record<Look, PresetDesign>> = {
  gallery: {
    sharedSheets: ['flat'],
    hasEventRows: true,
    body: 'Space Grotesk',
    colors: {
      ...MAIN_COLORS.gallery.light,
      surface: '#ffffff',
      sunk: '#f2f2f0',
      line: '#d9d9d6',
      muted: '#646462',
      ink: '#0a0a0a',
    },
    dark: {
      ...MAIN_COLORS.gallery.dark,
      surface: '#0e0e0e',
      sunk: '#1c1c1c',
      line: '#333333',
      muted: '#a0a09c',
      ink: '#ffffff',
    },
  },
  citrus: {
    body: 'Space Grotesk',
    colors: {
      ...MAIN_COLORS.citrus.light,
      surface: '#fffdf0',
      sunk: '#fff3b8',
      line: '#16130a',
      muted: '#5a4e1c',
      ink: '#16130a',
      button: '#16130a',
    },
    dark: {
      ...MAIN_COLORS.citrus.dark,
      surface: '#221f10',
      sunk: '#2f2b16',
      line: '#ffe04a',
      muted: '#c9bd8a',
      ink: '#fff8d6',
      button: '#ffe04a',
    },
  },
  velvet: {
    body: 'Lora',
    heading: 'Playfair Display',
    colors: {
      ...MAIN_COLORS.velvet.light,
      surface: '#fdf8ef',
      sunk: '#efe3d2',
      line: '#c9a96a',
      muted: '#765b6c',
      ink: '#3a1637',
      button: '#4b1c47',
    },
    dark: {
      ...MAIN_COLORS.velvet.dark,
      surface: '#241529',
      sunk: '#321e38',
      line: '#80643a',
      muted: '#b9a3b4',
      ink: '#f8e9cf',
    },
  },
  notebook: {
    body: 'Nunito',
    heading: 'Caveat',
    colors: {
      ...MAIN_COLORS.notebook.light,
      surface: '#fffefa',
      sunk: '#f0ecdd',
      line: '#c9cfdd',
      muted: '#5e6478',
      ink: '#27418c',
      button: '#27418c',
    },
    dark: {
      ...MAIN_COLORS.notebook.dark,
      surface: '#263833',
      sunk: '#2f443e',
      line: '#4a635b',
      muted: '#a9bfb4',
      ink: '#f6fbf4',
      button: '#f3e9a8',
    },
  },
};

const designById = new Map(
  THEMES.map(({ id, name, settings }): [string, ThemeDesign] => {
    const key = name.toLowerCase() as ThemeKey;
    const { colors, ...design } = DESIGNS[key];
    const presetColors = {
      bg: settings.backgroundColor,
      text: settings.textColor,
      accent: settings.accentColor,
    };
    return [id, { name: key, sheet: key, ...design, colors: { ...presetColors, ...colors } }];
  }),
);

/** A look wins over a theme. Returns the default theme for null and unknown ids. */
export function designOf(themeId: string | null, look?: PageSettingValues['look']): ThemeDesign {
  if (look && look !== THEME_DEFAULT)
    return {
      ...DEFAULT_DESIGN,
      name: look,
      sheet: undefined,
      sharedSheets: undefined,
      colorSheet: undefined,
      ...LOOKS[look],
    };
  return designById.get(themeId ?? '') ?? DEFAULT_DESIGN;
}

export interface PageShape {
  isSparse: boolean;
  isOneLink: boolean;
  isList: boolean;
}

/** CSS files in this folder, in the order of the cascade. */
export function themeSheets(
  { tileSheet, sheet, sharedSheets = [], colorSheet }: ThemeDesign,
  { hasCustomColors, isSparse, isOneLink, isList }: PageShape & { hasCustomColors: boolean },
): string[] {
  const ownSheets = [sheet, hasCustomColors ? undefined : colorSheet].filter(
    (name) => name !== undefined,
  );
  const sheets = [...(tileSheet ? [tileSheet] : []), ...sharedSheets, ...ownSheets];
  if (isList) return sheets;
  if (!isSparse) return ['wide', ...sheets];
  const sparseSheets = ownSheets.map((name) => `sparse/${name}`);
  return [...(isOneLink ? ['one-link'] : []), ...sheets, ...sparseSheets];
}
