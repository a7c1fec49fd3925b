import type { FastifyRequest } from 'fastify';
import { parseAccept } from 'hono/utils/accept';
import { formatMessage, type StoredMessage } from '#contract/refusal.ts';
import { LANGUAGES, type Language } from '#contract/shared/languages.ts';
import { createRuntimeTranslator, readTranslations } from '#translations/texts.ts';
import type { Translator } from '#translations/translator.ts';

const translations = new Map(LANGUAGES.map((language) => [language, readTranslations(language)]));
const translators = new Map(
  LANGUAGES.map((language) => [
    language,
    createRuntimeTranslator(language, translations.get(language)!),
  ]),
);

export function translatorFor(language: Language): Translator {
  return translators.get(language)!;
}

/**
 * Translates a message of the contract, such as an error. Compiles only messages that have a
 * translation, because others may contain user input.
 */
export function translateMessage(
  t: Translator,
  message: string,
  values?: Readonly<Record<string, unknown>>,
): string {
  if (Object.hasOwn(translations.get(t.locale as Language)!, message))
    return (t as (text: string, values?: object) => string)(message, values);
  return values ? formatMessage(message, values) : message;
}

/** Translates the rule of a field without the field's path, which can come before it. */
export function translateFieldMessage(
  t: Translator,
  path: string | undefined,
  message: string,
  values?: Readonly<Record<string, unknown>>,
): string {
  if (!message.startsWith(`${path} `)) return translateMessage(t, message, values);
  // Only requests from elsewhere than the dashboard have this ending, and they are not translated.
  if (message.endsWith(', or null.')) return message;
  return `${path} ${translateMessage(t, message.slice(`${path} `.length), values)}`;
}

/** `messages` has the text of each code. */
export function formatStored(
  messages: Readonly<Record<string, string>>,
  stored: StoredMessage | null,
  t: Translator = translatorFor('en'),
): string | null {
  return stored && translateMessage(t, messages[stored.code] ?? stored.code, stored.values ?? {});
}

type RequestHeaders = Pick<FastifyRequest, 'headers'>;

/** Returns the browser's preferred language, or English if it accepts no supported language. */
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
