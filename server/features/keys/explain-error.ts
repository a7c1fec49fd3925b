import type { Refusals } from '#contract/refusal.ts';
import { translateFieldMessage } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { ROUTES_BY_OPERATION } from './key-requests.ts';

const UNKNOWN_VALUE = '…';

/**
 * The condition of the error, as in the documents, which are in English. In other languages the error
 * message, unless it consists of a value, because values are not stored. Null without an error, and for
 * what another version declares.
 */
export function explainError(
  t: Translator,
  { operation, error_code: code }: { operation: string; error_code: string | null },
): string | null {
  const metadata = ROUTES_BY_OPERATION.get(operation)?.metadata;
  if (code === null || !metadata) return null;
  const refusals: Refusals = { ...metadata.sharedRefusals, ...metadata.refusals };
  const refusal = refusals[code];
  if (!refusal) return null;
  const { when, message, example, field } = refusal;
  if (t.locale === 'en' || /^\{\w+\}$/.test(message)) return when;
  const values = Object.fromEntries(Object.keys(example).map((name) => [name, UNKNOWN_VALUE]));
  return translateFieldMessage(t, field, message, values);
}
