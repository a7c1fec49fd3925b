import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { inputOf, type Route } from '#contract/define-endpoints.ts';
import { errorCodeOf } from '#contract/fields.ts';
import { UNKNOWN_FIELD_REFUSALS, WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { fieldMessage, withFieldName } from '#contract/schema-refusals.ts';
import { cutText } from '#contract/shared/user-text.ts';
import { createRefuser, isFromOwnPage, RefusalError } from '#server/platform/refusal.ts';
import { didYouMean } from '#server/platform/text/did-you-mean.ts';
import { translateFieldMessage } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { fieldsHeader, IGNORED_FIELDS_HEADER } from '../responses/headers.ts';
import { createIgnoredFieldsFinder } from './ignored-fields.ts';

interface ValidationIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

const refuse = createRefuser({ ...WRITE_REFUSALS, ...UNKNOWN_FIELD_REFUSALS });

/** How many fields a message names after the one that it explains. */
const MAX_NAMED_FIELDS = 5;

const NOT_AN_OBJECT = 'The request body must be a JSON object.';

/** Explains the first issue, with the code of its field, if it has one, and names the others. */
export function createValidationRefusal(
  issues: readonly ValidationIssue[] = [],
  route: Route,
  request: Pick<FastifyRequest, 'body' | 'headers' | 'query'>,
): RefusalError {
  const input = inputOf(route);
  let [issue] = issues;
  let wrongBody;
  // If the body is not an object, report its first missing field, too.
  if (!issue?.path?.length) {
    issue = input.body?.safeParse({}).error?.issues[0];
    wrongBody = describeNonObject(request.body);
  }
  const path = issue?.path ?? [];
  const field = joinPath(path);
  const schema = path.length === 1 ? input.fields[field] : undefined;
  const rule = issue?.message ?? NOT_AN_OBJECT;
  const given = { ...(request.query as object), ...(request.body as object | undefined) };
  const ignoredFields = wrongBody === undefined ? createIgnoredFieldsFinder(route)(request) : [];
  const isMissing =
    wrongBody === undefined && !(field in given) && schema?.safeParse(undefined).success === false;
  // The specification has the sentences of the public endpoints.
  const sentence =
    isMissing && route.path.startsWith('/owner/')
      ? `${field} is missing.`
      : explain(fieldMessage(field, rule, schema), field, wrongBody);
  const fields = [...new Set([field, ...issues.map((other) => joinPath(other.path ?? []))])].filter(
    (name) => name !== '',
  );
  const unknownField = ignoredFields.find((name) => name in given);
  const explainedUnknown = unknownField ? explainUnknown(unknownField, route, isMissing) : '';
  // Forms of the dashboard show labels, not the names of fields.
  const message = isFromOwnPage(request)
    ? fieldMessage(field, rule)
    : sentence + nameOthers(fields.slice(1), given) + explainedUnknown;
  const headers = fieldsHeader(
    IGNORED_FIELDS_HEADER,
    ignoredFields.filter((name) => !fields.includes(name)),
  );
  const code = errorCodeOf(schema);
  if (code === undefined)
    return refuse('validationFailed', {
      problem: (t: Translator) => translateFieldMessage(t, field, message),
      fields,
      headers,
    });
  const declared = { ...route.metadata.refusals, ...route.metadata.sharedRefusals }[code]!;
  return new RefusalError(code, { ...declared, message }, { fields, headers });
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

function nameOthers(fields: readonly string[], given: object): string {
  const named = Map.groupBy(fields.slice(0, MAX_NAMED_FIELDS), (field) =>
    valueAt(given, field) === undefined ? 'missing' : 'wrong',
  );
  const more = fields.length - MAX_NAMED_FIELDS;
  const lists = [...named].map(
    ([fault, names]) => ` Also ${fault}: ${names.map(toShownName).join(', ')}`,
  );
  return lists.length === 0 ? '' : `${lists.join('.')}${more > 0 ? ` and ${more} more` : ''}.`;
}

function valueAt(given: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], given);
}

export function createUnknownFieldRefusal(fields: readonly string[], route: Route): RefusalError {
  return refuse('unknownField', { ...describeUnknown(fields[0]!, route), fields });
}

/** Beside the fault of another field, only an unknown one that looks misspelled is worth a sentence. */
function explainUnknown(name: string, route: Route, isMissing: boolean): string {
  if (!isMissing && didYouMean(name, listFields(name, route)) === '') return '';
  const { field, suggestion } = describeUnknown(name, route);
  return ` ${field} is not a field of this operation.${suggestion}`;
}

/** Suggests the field that was meant, or lists all, because `before` does not look like `until`. */
function describeUnknown(name: string, route: Route) {
  const field = toShownName(name);
  const known = listFields(name, route);
  const ownName = field.split('.').at(-1)!;
  const suggestion = didYouMean(ownName, known) || ` Its fields: ${known.join(', ') || 'none'}.`;
  return { field, suggestion };
}

/** A name in a request can contain NUL, which no text of a response has. */
function toShownName(name: string): string {
  return cutText(name, 60).replaceAll('\0', '');
}

/** The fields of the body and query, or for `measures.0.boi` those of a measure. */
function listFields(unknownField: string, route: Route): string[] {
  let { fields } = inputOf(route);
  for (const name of unknownField.split('.').slice(0, -1))
    fields = fieldsOf(fields[name]) ?? fields;
  return Object.keys(fields).filter((name) => !(name in (route.headers ?? {})));
}

/** Of an object or the objects of a list. */
function fieldsOf(
  schema: z.core.$ZodType | undefined,
): ReturnType<typeof inputOf>['fields'] | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  const {
    innerType,
    in: input,
    element,
  } = ((schema as z.ZodType | undefined)?.def ?? {}) as Partial<
    Record<'innerType' | 'in' | 'element', z.core.$ZodType>
  >;
  const inner = innerType ?? input ?? element;
  return inner && fieldsOf(inner);
}
