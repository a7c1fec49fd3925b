import { LRUCache } from 'lru-cache';
import { createRuntimeTranslator, type Translations } from '#translations/texts.ts';
import type { Translator } from '#translations/translator.ts';
import type { PAGE_LANGUAGES } from '#contract/shared/page-languages.ts';
import ar from './translations/ar.json' with { type: 'json' };
import ca from './translations/ca.json' with { type: 'json' };
import cs from './translations/cs.json' with { type: 'json' };
import da from './translations/da.json' with { type: 'json' };
import de from './translations/de.json' with { type: 'json' };
import el from './translations/el.json' with { type: 'json' };
import es from './translations/es.json' with { type: 'json' };
import fa from './translations/fa.json' with { type: 'json' };
import fi from './translations/fi.json' with { type: 'json' };
import fr from './translations/fr.json' with { type: 'json' };
import he from './translations/he.json' with { type: 'json' };
import hi from './translations/hi.json' with { type: 'json' };
import hu from './translations/hu.json' with { type: 'json' };
import id from './translations/id.json' with { type: 'json' };
import it from './translations/it.json' with { type: 'json' };
import ja from './translations/ja.json' with { type: 'json' };
import ko from './translations/ko.json' with { type: 'json' };
import nb from './translations/nb.json' with { type: 'json' };
import nl from './translations/nl.json' with { type: 'json' };
import pl from './translations/pl.json' with { type: 'json' };
import pt from './translations/pt.json' with { type: 'json' };
import ro from './translations/ro.json' with { type: 'json' };
import ru from './translations/ru.json' with { type: 'json' };
import sv from './translations/sv.json' with { type: 'json' };
import tr from './translations/tr.json' with { type: 'json' };
import uk from './translations/uk.json' with { type: 'json' };
import vi from './translations/vi.json' with { type: 'json' };
import zhHans from './translations/zh-Hans.json' with { type: 'json' };
import zhHant from './translations/zh-Hant.json' with { type: 'json' };

const TRANSLATIONS: Readonly<Record<(typeof PAGE_LANGUAGES)[number], Translations>> = {
  ar,
  ca,
  cs,
  da,
  de,
  el,
  en: {},
  es,
  fa,
  fi,
  fr,
  he,
  hi,
  hu,
  id,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  ro,
  ru,
  sv,
  tr,
  uk,
  vi,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
};

/** Languages that use the texts of a closely related one. */
const LANGUAGE_ALIASES: Readonly<Record<string, string>> = { nn: 'nb', no: 'nb' };

const RTL_SCRIPTS = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

const DIGIT_PART_TYPES = new Set(['integer', 'group']);

/** Texts and number formats of one language, or of English if there is no translation. */
export class Locale {
  /** A BCP 47 tag without extensions, for `Intl`. */
  readonly tag: string;
  readonly t: Translator;
  /** Direction of the page's language, even if its texts fall back to English. */
  readonly direction: 'ltr' | 'rtl';
  readonly #numbers = new Map<string, Intl.NumberFormat>();
  #relative: Intl.RelativeTimeFormat | undefined;

  constructor(lang: string) {
    const locale = new Intl.Locale(lang);
    const { language, script = '' } = locale.maximize();
    const translationsByTag: Readonly<Record<string, Translations>> = TRANSLATIONS;
    const translations =
      translationsByTag[language] ??
      translationsByTag[`${language}-${script}`] ??
      translationsByTag[LANGUAGE_ALIASES[language] ?? ''];
    this.tag = translations ? locale.baseName : 'en';
    this.t = createRuntimeTranslator(this.tag, translations ?? {});
    this.direction = RTL_SCRIPTS.has(script) ? 'rtl' : 'ltr';
  }

  formatNumber(value: number, options: Intl.NumberFormatOptions): string {
    const key = JSON.stringify(options);
    const format = this.#numbers.get(key) ?? new Intl.NumberFormat(this.tag, options);
    this.#numbers.set(key, format);
    return format.format(value);
  }

  /** Returns text such as "in 3 days". */
  fromNow(value: number, unit: Intl.RelativeTimeFormatUnit): string {
    this.#relative ??= new Intl.RelativeTimeFormat(this.tag, { numeric: 'auto' });
    return this.#relative.format(value, unit);
  }

  /** Returns the parts of "3 days" (future) or "3 days ago" (past). */
  relativeTimeParts(
    value: number,
    unit: 'day' | 'hour' | 'minute',
  ): { value: string; isNumber: boolean }[] {
    this.#relative ??= new Intl.RelativeTimeFormat(this.tag, { numeric: 'auto' });
    const parts: { type: string; value: string }[] =
      value > 0
        ? new Intl.NumberFormat(this.tag, {
            style: 'unit',
            unit,
            unitDisplay: 'long',
          }).formatToParts(value)
        : this.#relative.formatToParts(value, unit);
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
