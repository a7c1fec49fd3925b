import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import { LANGUAGES, type Language } from '#contract/shared/languages.ts';
import { createTranslator } from '#translations/translator.ts';

/** Set by the bundler, which makes one bundle for each language. Unset in unit tests. */
declare const LANGUAGE: Language;

export const language: Language = typeof LANGUAGE === 'string' ? LANGUAGE : 'en';

/** Includes the region of the browser's language, such as `de-AT` for Austrian German. */
const locale = navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;

/** Language tags with their native names, such as “Deutsch”. */
export const LANGUAGE_OPTIONS = LANGUAGES.map(
  (tag) => [tag, new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag] as const,
);

/** The bundler replaces the English texts with compiled messages. */
export const t = createTranslator(locale, (text) =>
  typeof LANGUAGE === 'string' ? (text as CompiledMessage) : compile(text),
);

const listFormat = new Intl.ListFormat(locale);

/** Such as “Ada, Kim and Jonas”. */
export const formatList = (items: Iterable<string>): string => listFormat.format(items);
