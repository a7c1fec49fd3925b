import type { FastifyRequest } from 'fastify';
import { parseAccept } from 'hono/utils/accept';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import { createTextTranslator, readTexts } from '#translations/texts.ts';
import type { Translator } from '#translations/translator.ts';

const translators = new Map(
  LANGUAGES.map((language) => [language, createTextTranslator(language, readTexts(language))]),
);

export function translatorFor(language: Language): Translator {
  return translators.get(language)!;
}

type RequestHeaders = Pick<FastifyRequest, 'headers'>;

/** The browser's preferred language, or English if it lists none of ours. */
export function languageOf(request: RequestHeaders): Language {
  return preferredLanguage(request) ?? 'en';
}

export function preferredLanguage({ headers }: RequestHeaders): Language | null {
  for (const { type, q } of parseAccept(headers['accept-language'] ?? '')) {
    const language = LANGUAGES.find((tag) => tag === type.split('-')[0]!.toLowerCase());
    if (language && q > 0) return language;
  }
  return null;
}
