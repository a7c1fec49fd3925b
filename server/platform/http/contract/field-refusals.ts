import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { bodySchemaOf, requestFieldsOf, type Route } from '#contract/define-endpoints.ts';
import { errorCodeOf } from '#contract/fields.ts';
import { fieldMessage, withFieldName } from '#contract/schema-refusals.ts';
import { UNKNOWN_FIELD_REFUSALS, WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { createRefuser, isFromOwnPage, RefusalError } from '#server/platform/refusal.ts';
import { didYouMean } from '#server/platform/text/did-you-mean.ts';
import { translateFieldMessage } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';

interface ValidationIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

const refuse = createRefuser({ ...WRITE_REFUSALS, ...UNKNOWN_FIELD_REFUSALS });

const NOT_AN_OBJECT = 'The request body must be a JSON object.';

/** Reports the first issue, with the code of its field, if it has one. */
export function createValidationRefusal(
  issues: readonly ValidationIssue[] = [],
  route: Route,
  request: Pick<FastifyRequest, 'body' | 'headers'>,
): RefusalError {
  let [issue] = issues;
  let wrongBody;
  // If the body is not an object, report its first missing field, too.
  if (!issue?.path?.length) {
    issue = bodySchemaOf(route)?.safeParse({}).error?.issues[0];
    wrongBody = describeNonObject(request.body);
  }
  const path = issue?.path ?? [];
  const field = joinPath(path);
  const schema = path.length === 1 ? requestFieldsOf(route)[field] : undefined;
  const rule = issue?.message ?? NOT_AN_OBJECT;
  // The dashboard shows the label of the field, and nobody enters null there.
  const message = isFromOwnPage(request)
    ? fieldMessage(field, rule)
    : explain(fieldMessage(field, rule, schema), field, wrongBody);
  const fields = [...new Set([field, ...issues.map((other) => joinPath(other.path ?? []))])].filter(
    (name) => name !== '',
  );
  const code = errorCodeOf(schema);
  if (code === undefined)
    return refuse('validationFailed', {
      problem: (t: Translator) => translateFieldMessage(t, field, message),
      fields,
    });
  const declared = { ...route.metadata.refusals, ...route.metadata.sharedRefusals }[code]!;
  return new RefusalError(code, { ...declared, message }, { fields });
}

function joinPath(path: NonNullable<ValidationIssue['path']>): string {
  return path.map((part) => (typeof part === 'object' ? part.key : part)).join('.');
}

function explain(message: string, field: string, wrongBody: string | undefined): string {
  const sentence = withFieldName(message, field);
  if (wrongBody === undefined) return sentence;
  const reason = message === NOT_AN_OBJECT ? '' : ': the request body must be a JSON object';
  return sentence.replace(/\.$/, `${reason}, not ${wrongBody}.`);
}

function describeNonObject(body: unknown): string | undefined {
  if (body === null) return 'null';
  if (Array.isArray(body)) return 'an array';
  if (body === undefined || typeof body === 'object') return undefined;
  return `a ${typeof body}${/^\s*\{/.test(String(body)) ? ' that contains JSON' : ''}`;
}

/** Suggests the field that was meant, or lists all, because `before` does not look like `until`. */
export function createUnknownFieldRefusal(fields: readonly string[], route: Route): RefusalError {
  // A name in the query can contain NUL, which no text of a response has.
  const field = fields[0]!.slice(0, 60).replaceAll('\0', '');
  const known = Object.keys((bodySchemaOf(route) as z.ZodObject | undefined)?.shape ?? {});
  const suggestion = didYouMean(field, known) || ` Its fields: ${known.join(', ') || 'none'}.`;
  return refuse('unknownField', { field, suggestion, fields });
}
