import { readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import type { Language } from '#contract/shared/languages.ts';
import { createTranslator, type Translator } from './translator.ts';

/** Keyed by the English text. */
export type Translations = Readonly<Record<string, string>>;

const LITERAL = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`;
/** Matches `t('…'` and `t.rich('…'`, with the closing parenthesis if there are no values. */
const CALL = new RegExp(String.raw`\bt(?:\.rich)?\(\s*(${LITERAL})(\s*,?\s*\))?`, 'g');

export function readTranslations(language: Language): Translations {
  if (language === 'en') return {};
  const file = new URL(`${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Translations;
}

/** Falls back to the English text, without the context of `noun|Open`. */
function findTranslation(translations: Translations, text: string): string {
  return translations[text] ?? text.replace(/^[a-z ]+\|/, '');
}

/** Returns the English texts in the `t('…')` calls of a source file. */
export function extractTexts(source: string): string[] {
  return [...source.matchAll(CALL)].map(([, literal]) => parseLiteral(literal!));
}

/**
 * Replaces the English texts in a source file with compiled translations. A text without values
 * compiles to a string, which replaces the whole call.
 */
export function translateSource(source: string, translations: Translations): string {
  return source.replace(CALL, (call: string, literal: string, end?: string) => {
    const message = JSON.stringify(compile(findTranslation(translations, parseLiteral(literal))));
    return end === undefined ? call.replace(literal, () => message) : message;
  });
}

function parseLiteral(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

/** Compiles each text at its first use. The dashboard's bundler compiles texts in advance instead. */
export function createRuntimeTranslator(locale: string, translations: Translations): Translator {
  const messages = new Map<string, ReturnType<typeof compile>>();
  return createTranslator(locale, (text) => {
    const message = messages.get(text) ?? compile(findTranslation(translations, text));
    messages.set(text, message);
    return message;
  });
}
