import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { numberFormat, relativeTimeFormat } from '#contract/shared/intl-formats.ts';
import { PAGE_LANGUAGES } from '#contract/shared/page-languages.ts';
import { createRuntimeTranslator, type Translations } from '#translations/texts.ts';
import type { Translator } from '#translations/translator.ts';

const TRANSLATIONS: ReadonlyMap<string, Translations> = new Map(
  PAGE_LANGUAGES.map((language) => [language, readTranslations(language)]),
);

/** Languages that use the texts of a closely related one. */
const LANGUAGE_ALIASES: Readonly<Record<string, string>> = { nn: 'nb', no: 'nb' };

/** Texts of a region that differ from those of its language. */
const REGIONAL_TEXTS: Readonly<Record<string, Translations>> = {
  'pt-PT': {
    Share: 'Partilhar',
    'This page is just getting started.': 'Esta página está a ser preparada.',
    'Add your first link': 'Adicione a primeira ligação',
    'Save to contacts': 'Guardar nos contactos',
    'Your Mastodon server': 'O seu servidor Mastodon',
    'Calendar apps cannot subscribe, because this page is for members.':
      'As aplicações de calendário não podem subscrever, porque esta página é para membros.',
    'Too many messages were sent. Try again later.':
      'Foram enviadas demasiadas mensagens. Tente mais tarde.',
  },
};

const RTL_SCRIPTS = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

const DIGIT_PART_TYPES = new Set(['integer', 'group']);

/** Texts and number formats of one language, or of English if there is no translation. */
export class Locale {
  /** A BCP 47 tag without extensions, for `Intl`. */
  readonly tag: string;
  readonly t: Translator;
  /** Direction of the page's language, even if its texts fall back to English. */
  readonly direction: 'ltr' | 'rtl';

  constructor(lang: string) {
    const locale = new Intl.Locale(lang);
    const { language, script = '', region = '' } = locale.maximize();
    const translations =
      TRANSLATIONS.get(language) ??
      TRANSLATIONS.get(`${language}-${script}`) ??
      TRANSLATIONS.get(LANGUAGE_ALIASES[language] ?? '');
    this.tag = translations ? locale.baseName : 'en';
    this.t = createRuntimeTranslator(this.tag, {
      ...translations,
      ...REGIONAL_TEXTS[`${language}-${region}`],
    });
    this.direction = RTL_SCRIPTS.has(script) ? 'rtl' : 'ltr';
  }

  formatNumber(value: number, options: Intl.NumberFormatOptions): string {
    return numberFormat(this.tag, options).format(value);
  }

  /** Returns text such as "in 3 days". */
  fromNow(value: number, unit: Intl.RelativeTimeFormatUnit): string {
    return relativeTimeFormat(this.tag, { numeric: 'auto' }).format(value, unit);
  }

  /** Returns the parts of "3 days" (future) or "3 days ago" (past). */
  relativeTimeParts(days: number): { value: string; isNumber: boolean }[] {
    const parts: { type: string; value: string }[] =
      days > 0
        ? numberFormat(this.tag, {
            style: 'unit',
            unit: 'day',
            unitDisplay: 'long',
          }).formatToParts(days)
        : relativeTimeFormat(this.tag, { numeric: 'auto' }).formatToParts(days, 'day');
    // Some languages have one word for two days. It has no digits, so it counts as the number.
    const hasNoDigits = !parts.some(({ type }) => DIGIT_PART_TYPES.has(type));
    const merged: { value: string; isNumber: boolean }[] = [];
    for (const { type, value: text } of parts) {
      const isNumber = hasNoDigits || DIGIT_PART_TYPES.has(type);
      const last = merged.at(-1);
      if (last?.isNumber === isNumber) last.value += text;
      else merged.push({ value: text, isNumber });
    }
    return merged;
  }
}

const localeCache = new LRUCache<string, Locale>({ max: 100 });

export function localeOf(lang: string): Locale {
  const locale = localeCache.get(lang) ?? new Locale(lang);
  localeCache.set(lang, locale);
  return locale;
}

function readTranslations(language: (typeof PAGE_LANGUAGES)[number]): Translations {
  if (language === 'en') return {};
  const file = new URL(`./translations/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Translations;
}
