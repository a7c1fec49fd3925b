import type { Route } from '#contract/define-endpoints.ts';
import type { Refusals } from '#contract/refusal.ts';
import { NON_ENDPOINT_REFUSALS, PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { translateFieldMessage } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { ROUTES_BY_OPERATION } from './key-requests.ts';

const UNKNOWN_VALUE = '…';

const refusalsOf = ({ metadata }: Pick<Route, 'metadata'>): Refusals => ({
  ...metadata.sharedRefusals,
  ...metadata.refusals,
});

/** Also those of requests that are never listed. */
export const ERROR_CODES: ReadonlySet<string> = new Set(
  [
    NON_ENDPOINT_REFUSALS,
    PAGE_REFUSALS,
    ...[...ROUTES_BY_OPERATION.values()].map(refusalsOf),
  ].flatMap((refusals) => Object.keys(refusals)),
);

/**
 * The condition of the error, as in the documents, which are in English. In other languages the error
 * message, unless it consists of a value, because values are not stored. Null without an error, and for
 * what another version declares.
 */
export function explainError(
  t: Translator,
  { operation, error_code: code }: { operation: string; error_code: string | null },
): string | null {
  const route = ROUTES_BY_OPERATION.get(operation);
  const refusal = code === null || !route ? undefined : refusalsOf(route)[code];
  if (!refusal) return null;
  const { when, message, example, field } = refusal;
  if (t.locale === 'en' || /^\{\w+\}$/.test(message)) return when;
  const values = Object.fromEntries(Object.keys(example).map((name) => [name, UNKNOWN_VALUE]));
  return translateFieldMessage(t, field, message, values);
}
