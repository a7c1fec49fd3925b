import { FONT_PAIRS } from './fonts.ts';

/** The setting value that keeps the theme's default. */
export const THEME_DEFAULT = 'theme';

/** A page setting with the labels of its values. The first value is the default. */
interface PageSetting {
  label: string;
  options: Readonly<Record<string, string>>;
}

const THEME_OPTION = { [THEME_DEFAULT]: 'Theme default' } as const;

/** Design settings. They work with every theme. */
export const PAGE_SETTINGS = {
  fonts: { label: 'Fonts', options: { ...THEME_OPTION, ...fontLabels() } },
  buttons: {
    label: 'Buttons',
    options: {
      ...THEME_OPTION,
      filled: 'Filled',
      outline: 'Outline',
      soft: 'Soft',
      shadow: 'Hard shadow',
      underline: 'Underlined',
    },
  },
  corners: {
    label: 'Corners',
    options: { ...THEME_OPTION, square: 'Square', round: 'Round', pill: 'Pill' },
  },
  background: {
    label: 'Background',
    options: {
      ...THEME_OPTION,
      solid: 'One color',
      gradient: 'Gradient',
      pattern: 'Dots',
      picture: 'Picture',
    },
  },
  layout: {
    label: 'Layout',
    options: { ...THEME_OPTION, centred: 'Centred', left: 'Left', columns: 'Two columns' },
  },
  avatar: {
    label: 'Avatar',
    options: {
      ...THEME_OPTION,
      circle: 'Circle',
      square: 'Square',
      blob: 'Blob',
      cover: 'Large cover',
      none: 'None',
    },
  },
  density: {
    label: 'Spacing',
    options: { ...THEME_OPTION, compact: 'Compact', relaxed: 'Relaxed' },
  },
} as const satisfies Record<string, PageSetting>;

function fontLabels(): Record<keyof typeof FONT_PAIRS, string> {
  const labels = Object.entries(FONT_PAIRS).map(([name, { label }]) => [name, label]);
  return Object.fromEntries(labels) as Record<keyof typeof FONT_PAIRS, string>;
}

export type PageSettingName = keyof typeof PAGE_SETTINGS;

export type PageSettingValues = {
  readonly [Name in PageSettingName]?: keyof (typeof PAGE_SETTINGS)[Name]['options'];
};
