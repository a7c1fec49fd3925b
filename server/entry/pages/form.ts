import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Most bytes that a character takes: percent-encoded UTF-8. */
const MAX_BYTES_PER_CHARACTER = 12;

export interface Form<Field extends string> {
  /** No longer than the field allows, so that a response can show them again. */
  values: Record<Field, string>;
  tooLong: readonly Field[];
}

/**
 * The only parser of forms that browsers send without a script. Larger bodies get 413 before they
 * are read. A body of another type, or with more parameters than fields, is an empty form.
 */
export function acceptForms<Field extends string>(
  app: FastifyInstance,
  maxLengths: Readonly<Record<Field, number>>,
): (request: FastifyRequest) => Form<Field> {
  const fields = Object.entries<number>(maxLengths) as [Field, number][];
  const bodyLimit = fields.reduce(
    (bytes, [field, maxLength]) => bytes + field.length + 2 + maxLength * MAX_BYTES_PER_CHARACTER,
    0,
  );
  app.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimit;
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  );
  return ({ body }) => parseForm(typeof body === 'string' ? body : '', fields);
}

function parseForm<Field extends string>(
  body: string,
  fields: readonly [Field, number][],
): Form<Field> {
  // URLSearchParams takes quadratic time for parameters without a value.
  const hasTooMany = body.split('&', fields.length + 1).length > fields.length;
  const params = new URLSearchParams(hasTooMany ? '' : body);
  const tooLong: Field[] = [];
  const values = fields.map(([field, maxLength]) => {
    const characters = [...replaceControlCharacters(params.get(field) ?? '').trim()];
    if (characters.length > maxLength) tooLong.push(field);
    return [field, characters.slice(0, maxLength).join('')];
  });
  return { values: Object.fromEntries(values) as Record<Field, string>, tooLong };
}

function replaceControlCharacters(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ');
}
