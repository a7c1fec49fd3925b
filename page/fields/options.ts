import { SETTINGS_BLOCK } from '#contract/shared/blocks.ts';
import {
  THEME_DEFAULT,
  type PageSettingValues,
  PAGE_SETTINGS,
  type PageSettingName,
} from '#contract/shared/page-settings.ts';
import { cutText } from '#contract/shared/user-text.ts';
import { type Locale, localeOf } from '../locale.ts';
import type { PublicSite, ThemeSettings } from '../public-site.ts';
import { choiceOf, type Fields, flagOf, textOf } from './fields.ts';
import { pictureOf } from './picture.ts';

/** Appearance settings that the owner chose. The theme supplies the rest. */
export interface PageAppearance {
  settings: PageSettingValues;
  backgroundPicture: string | undefined;
  /** The part of the picture that stays in view. Null is the center. */
  backgroundFocus?: string | null;
}

export interface PageOptions {
  /** A BCP 47 language tag. */
  lang: string;
  locale: Locale;
  pronouns: string | undefined;
  fediverse: { user: string; host: string } | undefined;
  /** The DID of the owner's Bluesky account. */
  bluesky: string | undefined;
  /** Whether search engines may list the page. */
  isIndexable: boolean;
  appearance: PageAppearance;
}

const { fediverse: FEDIVERSE, bluesky: BLUESKY } = SETTINGS_BLOCK.fields;

export function optionsOf(
  site: Pick<PublicSite, 'settings' | 'themeSettings' | 'isNew' | 'isForMembers'>,
): PageOptions {
  const settings: Fields = site.settings?.fields ?? {};
  const lang = languageOf(settings, 'lang') ?? 'en';
  const [, user, host] = FEDIVERSE.pattern.exec(textOf(settings, 'fediverse') ?? '') ?? [];
  const did = textOf(settings, 'bluesky');
  const pronouns = textOf(settings, 'pronouns');
  return {
    lang,
    locale: localeOf(lang),
    pronouns: pronouns && cutText(pronouns, 100),
    fediverse: user && host ? { user, host: host.toLowerCase() } : undefined,
    appearance: appearanceOf(settings, site.themeSettings),
    bluesky: did && BLUESKY.pattern.test(did) ? did : undefined,
    isIndexable: !site.isNew && !site.isForMembers && (flagOf(settings, 'indexing') ?? true),
  };
}

export function languageOf(fields: Fields, name: string): string | undefined {
  const tag = textOf(fields, name);
  try {
    return tag && tag.length <= 35 && Intl.getCanonicalLocales(tag).length === 1 ? tag : undefined;
  } catch {
    return undefined;
  }
}

/** Ignores unknown values and settings that keep the theme's default. A look replaces the theme. */
function appearanceOf(fields: Fields, theme?: ThemeSettings): PageAppearance {
  const names = Object.keys(PAGE_SETTINGS) as PageSettingName[];
  const settings: Record<string, unknown> = Object.fromEntries(
    names
      .map((name) => [name, choiceOf(fields, name, PAGE_SETTINGS[name].options)] as const)
      .filter(([, value]) => value !== undefined && value !== THEME_DEFAULT),
  );
  const backgroundPicture =
    settings['background'] === 'picture' ? pictureOf(fields['background_picture'])?.src : undefined;
  if (!backgroundPicture && settings['background'] === 'picture') delete settings['background'];
  if (!theme || settings['look']) return { settings, backgroundPicture };
  settings['fonts'] ??= theme.fonts;
  if (settings['background'] || !theme.backgroundPicture) return { settings, backgroundPicture };
  settings['background'] = 'picture';
  const { backgroundPicture: cover, backgroundFocus } = theme;
  return { settings, backgroundPicture: cover, backgroundFocus };
}

/** Style sheets that come before the one of a setting, which builds on them. */
const SHARED_SHEETS: Readonly<Record<string, string[]>> = {
  'avatar-cover': ['avatar-none'],
  'background-gradient': ['background-solid'],
  'background-pattern': ['background-solid'],
  'background-picture': ['background-solid'],
  'buttons-outline': ['buttons-bordered'],
  'buttons-shadow': ['buttons-bordered'],
  'buttons-soft': ['buttons-bordered'],
  'layout-left': ['layout-one-column'],
  'layout-centered': ['layout-one-column'],
};

/** File names in `styles/settings`. */
export function settingSheets({ settings }: PageAppearance): string[] {
  return Object.entries(settings)
    .filter(([name]) => name !== 'fonts' && name !== 'look')
    .map(([name, value]) => `${name}-${value}`)
    .flatMap((sheet) => [...(SHARED_SHEETS[sheet] ?? []), sheet]);
}
