import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { bodySchemaOf, type Route } from '#contract/define-endpoints.ts';
import type { Refusal } from '#contract/refusal.ts';
import { UNKNOWN_FIELD_REFUSALS, WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { createRefuser, isFromOwnPage, RefusalError } from '#server/platform/refusal.ts';
import { didYouMean } from '#server/platform/text/did-you-mean.ts';
import { translateMessage } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';

interface ValidationIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

const refuse = createRefuser({ ...WRITE_REFUSALS, ...UNKNOWN_FIELD_REFUSALS });

const NOT_AN_OBJECT = 'The request body must be a JSON object.';

/**
 * Reports the first issue, with the code of the refusal that the route declares for its field, if any.
 */
export function createValidationRefusal(
  issues: readonly ValidationIssue[] = [],
  route: Route,
  request: Pick<FastifyRequest, 'body' | 'headers'>,
): RefusalError {
  const { refusals, sharedRefusals } = route.metadata;
  let [issue] = issues;
  let wrongBody;
  // If the body is not an object, report its first missing field, too.
  if (!issue?.path?.length) {
    issue = bodySchemaOf(route)?.safeParse({}).error?.issues[0];
    wrongBody = describeNonObject(request.body);
  }
  const path = issue?.path ?? [];
  const field = joinPath(path);
  let { message = NOT_AN_OBJECT } = issue ?? {};
  // The dashboard shows the label of the field.
  if (!isFromOwnPage(request)) message = explain(message, path.length > 1 ? '' : field, wrongBody);
  const fields = [...new Set([field, ...issues.map((other) => joinPath(other.path ?? []))])].filter(
    (name) => name !== '',
  );
  const declared = Object.entries<Refusal>({ ...refusals, ...sharedRefusals }).find(
    ([, refusal]) => refusal.isSchemaError && refusal.field === field,
  );
  if (declared) return new RefusalError(declared[0], { ...declared[1], message }, { fields });
  // Messages for top-level fields are whole sentences. Messages for nested fields need the path.
  const prefix = path.length > 1 ? `${field} ` : '';
  const problem = (t: Translator) => prefix + translateMessage(t, message);
  return refuse('validationFailed', { problem, fields });
}

function joinPath(path: NonNullable<ValidationIssue['path']>): string {
  return path.map((part) => (typeof part === 'object' ? part.key : part)).join('.');
}

function explain(message: string, field: string, wrongBody: string | undefined): string {
  const isNamed = message.toLowerCase().includes(field.toLowerCase());
  const sentence = message.replace(/\.$/, isNamed ? '' : ` (${field})`);
  if (wrongBody === undefined) return `${sentence}.`;
  const reason = message === NOT_AN_OBJECT ? '' : ': the request body must be a JSON object';
  return `${sentence}${reason}, not ${wrongBody}.`;
}

function describeNonObject(body: unknown): string | undefined {
  if (body === null) return 'null';
  if (Array.isArray(body)) return 'an array';
  if (body === undefined || typeof body === 'object') return undefined;
  return `a ${typeof body}${/^\s*\{/.test(String(body)) ? ' that contains JSON' : ''}`;
}

/** Suggests the field that was meant, or lists all, because `before` does not look like `until`. */
export function createUnknownFieldRefusal(fields: readonly string[], route: Route): RefusalError {
  const field = fields[0]!.slice(0, 60);
  const known = Object.keys((bodySchemaOf(route) as z.ZodObject | undefined)?.shape ?? {});
  const suggestion = didYouMean(field, known) || ` Its fields: ${known.join(', ') || 'none'}.`;
  return refuse('unknownField', { field, suggestion, fields });
}
