import { type Fields, flagOf, textOf } from './fields.ts';
import { type Locale, localeOf } from './locale.ts';
import type { PublicSite } from './public-site.ts';
import { type PageLook, lookOf } from './settings.ts';

/** Page settings, as the page uses them. */
export interface PageOptions {
  /** A BCP 47 language tag. */
  lang: string;
  /** How the page speaks in it. */
  locale: Locale;
  pronouns: string | undefined;
  /** The owner's account in the Fediverse: its user and host. */
  fediverse: { user: string; host: string } | undefined;
  /** Whether search engines may list the page. */
  indexing: boolean;
  look: PageLook;
}

const HANDLE = /^@?([A-Za-z0-9_.-]{1,64})@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)$/;

export function optionsOf(site: PublicSite): PageOptions {
  const settings: Fields = site.settings?.fields ?? {};
  const named = textOf(settings, 'lang');
  const lang = named && isLanguage(named) ? named : 'en';
  const [, user, host] = HANDLE.exec(textOf(settings, 'fediverse') ?? '') ?? [];
  return {
    lang,
    locale: localeOf(lang),
    pronouns: textOf(settings, 'pronouns')?.slice(0, 100),
    fediverse: user && host ? { user, host: host.toLowerCase() } : undefined,
    look: lookOf(settings),
    indexing: !site.isNew && (flagOf(settings, 'indexing') ?? true),
  };
}

function isLanguage(tag: string): boolean {
  try {
    return tag.length <= 35 && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
