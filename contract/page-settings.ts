import { FONT_PAIRS } from './fonts.ts';

/** Value of a setting that leaves it to the theme. */
export const THEME_DEFAULT = 'theme';

/** A setting of how the page looks, with the labels of its values; the first is the default. */
interface PageSetting {
  label: string;
  options: Readonly<Record<string, string>>;
}

const THEME = { [THEME_DEFAULT]: 'As in the theme' } as const;

/** Page settings for the look of the page. They work with every theme. */
export const PAGE_SETTINGS = {
  fonts: { label: 'Fonts', options: { ...THEME, ...fontLabels() } },
  buttons: {
    label: 'Buttons',
    options: {
      ...THEME,
      filled: 'Filled',
      outline: 'Outline',
      soft: 'Soft',
      shadow: 'Hard shadow',
      underline: 'Underlined',
    },
  },
  corners: {
    label: 'Corners',
    options: { ...THEME, square: 'Square', round: 'Round', pill: 'Pill' },
  },
  background: {
    label: 'Background',
    options: {
      ...THEME,
      solid: 'One colour',
      gradient: 'Gradient',
      pattern: 'Dots',
      picture: 'Picture',
    },
  },
  layout: {
    label: 'Layout',
    options: { ...THEME, centred: 'Centred', left: 'Left', columns: 'Two columns' },
  },
  avatar: {
    label: 'Avatar',
    options: {
      ...THEME,
      circle: 'Circle',
      square: 'Square',
      blob: 'Blob',
      cover: 'Large cover',
      none: 'None',
    },
  },
  density: {
    label: 'Spacing',
    options: { ...THEME, compact: 'Compact', relaxed: 'Relaxed' },
  },
} as const satisfies Record<string, PageSetting>;

function fontLabels(): Record<keyof typeof FONT_PAIRS, string> {
  const labels = Object.entries(FONT_PAIRS).map(([name, { label }]) => [name, label]);
  return Object.fromEntries(labels) as Record<keyof typeof FONT_PAIRS, string>;
}

/** Name of a setting. */
export type PageSettingName = keyof typeof PAGE_SETTINGS;

/** Values that an owner chose. */
export type PageSettingValues = {
  readonly [Name in PageSettingName]?: keyof (typeof PAGE_SETTINGS)[Name]['options'];
};
