import { readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import type { Language } from '#contract/languages.ts';
import { createTranslator, type Translator } from './translator.ts';

/** Translations by their English text. */
export type Texts = Readonly<Record<string, string>>;

const LITERAL = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`;
/** The start of a translator's call, or the whole call if it has no values. */
const CALL = new RegExp(String.raw`\bt(?:\.rich)?\(\s*(${LITERAL})(\s*,?\s*\))?`, 'g');

export function readTexts(language: Language): Texts {
  if (language === 'en') return {};
  const file = new URL(`${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Texts;
}

/** Returns the English text if there is no translation. */
function findText(texts: Texts, text: string): string {
  return texts[text] ?? text.replace(/^[a-z ]+\|/, '');
}

/** Returns the English texts that a source file translates. */
export function extractTexts(source: string): string[] {
  return [...source.matchAll(CALL)].map(([, literal]) => parseLiteral(literal!));
}

/** Replaces the English texts in a source file with compiled translations. */
export function translateSource(source: string, texts: Texts): string {
  return source.replace(CALL, (call: string, literal: string, end?: string) => {
    const message = JSON.stringify(compile(findText(texts, parseLiteral(literal))));
    return end === undefined ? call.replace(literal, () => message) : message;
  });
}

function parseLiteral(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

/** Compiles each text when it is used first. */
export function createTextTranslator(locale: string, texts: Texts): Translator {
  const messages = new Map<string, ReturnType<typeof compile>>();
  return createTranslator(locale, (text) => {
    const message = messages.get(text) ?? compile(findText(texts, text));
    messages.set(text, message);
    return message;
  });
}
