import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cutText } from '#contract/shared/user-text.ts';

/** Most bytes that a character takes: percent-encoded UTF-8. */
const MAX_BYTES_PER_CHARACTER = 12;

export interface Form<Field extends string> {
  /** No longer than the field allows, so that a response can show them again. */
  values: Record<Field, string>;
  tooLong: readonly Field[];
  /** Reads a field whose name depends on the page. */
  readOther: (name: string, maxLength: number) => { value: string; isTooLong: boolean };
}

/** Fields whose names depend on the page. */
interface OtherFields {
  count: number;
  maxNameLength: number;
  maxLength: number;
}

/**
 * The only parser of forms that browsers send without a script. Larger bodies get 413 before they
 * are read. A body of another type, or with more parameters than fields, is an empty form.
 */
export function acceptForms<Field extends string>(
  app: FastifyInstance,
  maxLengths: Readonly<Record<Field, number>>,
  others: OtherFields = { count: 0, maxNameLength: 0, maxLength: 0 },
): (request: FastifyRequest) => Form<Field> {
  const fields = Object.entries<number>(maxLengths) as [Field, number][];
  const bodyLimit = fields.reduce(
    (bytes, [field, maxLength]) => bytes + field.length + 2 + maxLength * MAX_BYTES_PER_CHARACTER,
    others.count * (2 + (others.maxNameLength + others.maxLength) * MAX_BYTES_PER_CHARACTER),
  );
  const maxParams = fields.length + others.count;
  app.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimit;
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  );
  return ({ body }) => parseForm(typeof body === 'string' ? body : '', fields, maxParams);
}

function parseForm<Field extends string>(
  body: string,
  fields: readonly [Field, number][],
  maxParams: number,
): Form<Field> {
  // URLSearchParams takes quadratic time for parameters without a value.
  const hasTooMany = body.split('&', maxParams + 1).length > maxParams;
  const params = new URLSearchParams(hasTooMany ? '' : body);
  const readOther = (name: string, maxLength: number) => {
    const text = replaceControlCharacters(params.get(name) ?? '').trim();
    const value = cutText(text, maxLength);
    return { value, isTooLong: value !== text };
  };
  const tooLong: Field[] = [];
  const values = fields.map(([field, maxLength]) => {
    const { value, isTooLong } = readOther(field, maxLength);
    if (isTooLong) tooLong.push(field);
    return [field, value];
  });
  return { values: Object.fromEntries(values) as Record<Field, string>, tooLong, readOther };
}

function replaceControlCharacters(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ');
}
