import { FONT_PAIRS } from './fonts.ts';
import { LOOKS } from './looks.ts';
import { t } from './translatable.ts';

/** The setting value that keeps the theme's default. */
export const THEME_DEFAULT = 'theme';

/** A page setting with the labels of its values. The first value is the default. */
interface PageSetting {
  label: string;
  options: Readonly<Record<string, string>>;
}

const THEME_OPTION = { [THEME_DEFAULT]: t('Theme default') } as const;

/** Design settings. They work with every theme. */
export const PAGE_SETTINGS = {
  /** A whole design, which replaces the theme and its colors. */
  look: {
    label: t('Look'),
    options: {
      ...THEME_OPTION,
      ...LOOKS,
    },
  },
  fonts: { label: t('Fonts'), options: { ...THEME_OPTION, ...fontLabels() } },
  buttons: {
    label: t('Buttons'),
    options: {
      ...THEME_OPTION,
      filled: t('Filled'),
      outline: t('Outline'),
      soft: t('Soft'),
      shadow: t('Hard shadow'),
      underline: t('Underlined'),
    },
  },
  corners: {
    label: t('Corners'),
    options: { ...THEME_OPTION, square: t('Square'), round: t('Round'), pill: t('Pill') },
  },
  background: {
    label: t('Background'),
    options: {
      ...THEME_OPTION,
      solid: t('One color'),
      gradient: t('Gradient'),
      pattern: t('Dots'),
      picture: t('Picture'),
    },
  },
  layout: {
    label: t('Layout'),
    options: {
      ...THEME_OPTION,
      centered: t('Centered'),
      left: t('Left'),
      columns: t('Two columns'),
    },
  },
  avatar: {
    label: t('Avatar'),
    options: {
      ...THEME_OPTION,
      circle: t('Circle'),
      square: t('Square'),
      blob: t('Blob'),
      cover: t('Large cover'),
      none: t('avatar|None'),
    },
  },
  density: {
    label: t('Spacing'),
    options: { ...THEME_OPTION, compact: t('Compact'), relaxed: t('Relaxed') },
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
