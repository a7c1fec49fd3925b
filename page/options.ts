import {
  THEME_DEFAULT,
  type PageSettingValues,
  PAGE_SETTINGS,
  type PageSettingName,
} from '#contract/shared/page-settings.ts';
import { type Fields, flagOf, textOf } from './fields.ts';
import { type Locale, localeOf } from './locale.ts';
import { pictureOf } from './picture.ts';
import type { PublicSite } from './public-site.ts';

/** Appearance settings that the owner chose. The theme supplies the rest. */
export interface PageAppearance {
  settings: PageSettingValues;
  backgroundPicture: string | undefined;
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

const FEDIVERSE_HANDLE = /^@?([A-Za-z0-9_.-]{1,64})@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)$/;
const DID = /^did:(?:plc:[a-z2-7]{24}|web:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})$/;

export function optionsOf(site: PublicSite): PageOptions {
  const settings: Fields = site.settings?.fields ?? {};
  const requestedLang = textOf(settings, 'lang');
  const lang = requestedLang && isLanguage(requestedLang) ? requestedLang : 'en';
  const [, user, host] = FEDIVERSE_HANDLE.exec(textOf(settings, 'fediverse') ?? '') ?? [];
  const did = textOf(settings, 'bluesky');
  return {
    lang,
    locale: localeOf(lang),
    pronouns: textOf(settings, 'pronouns')?.slice(0, 100),
    fediverse: user && host ? { user, host: host.toLowerCase() } : undefined,
    appearance: appearanceOf(settings),
    bluesky: did && DID.test(did) ? did : undefined,
    isIndexable: !site.isNew && (flagOf(settings, 'indexing') ?? true),
  };
}

function isLanguage(tag: string): boolean {
  try {
    return tag.length <= 35 && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Ignores unknown values and settings that keep the theme's default. */
function appearanceOf(fields: Fields): PageAppearance {
  const names = Object.keys(PAGE_SETTINGS) as PageSettingName[];
  const settings: Record<string, unknown> = Object.fromEntries(
    names
      .map((name) => [name, fields[name]] as const)
      .filter(([name, value]) => value !== THEME_DEFAULT && isKnownOption(name, value)),
  );
  const backgroundPicture =
    settings['background'] === 'picture' ? pictureOf(fields['background_picture'])?.src : undefined;
  if (!backgroundPicture && settings['background'] === 'picture') delete settings['background'];
  return { settings, backgroundPicture };
}

function isKnownOption(name: PageSettingName, value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(PAGE_SETTINGS[name].options, value);
}

/** Style sheets that a setting needs below its own. */
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
