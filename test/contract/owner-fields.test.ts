import { expect, it } from 'vitest';
import { z } from 'zod';
import { errorCodeOf } from '#contract/fields.ts';
import { type Schema, toJsonSchema } from '#contract/openapi/json-schema.ts';
import { ownerEndpoints, unauthenticatedEndpoints } from '../support/endpoints.ts';

const endpoints = [...ownerEndpoints, ...unauthenticatedEndpoints];

/** Fields whose shape is specified elsewhere: WebAuthn, and the themes of the public site. */
const SPECIFIED_ELSEWHERE = new Set([
  'clientDataJSON',
  'accentColor',
  'backgroundColor',
  'textColor',
]);

/** Lists the names of all fields, including those of nested objects. */
function listFields(schema: z.ZodType | undefined, direction: 'input' | 'output'): string[] {
  if (!schema) return [];
  const { root, definitions } = toJsonSchema(schema, direction);
  const names: string[] = [];
  const visit = ({ properties = {}, items, additionalProperties, ...rest }: Schema): void => {
    names.push(...Object.keys(properties));
    Object.values(properties).forEach(visit);
    if (items) visit(items);
    if (additionalProperties && additionalProperties !== true) visit(additionalProperties);
    for (const variants of [rest.anyOf, rest.oneOf, rest.allOf]) variants?.forEach(visit);
  };
  [root, ...Object.values(definitions)].forEach(visit);
  return names;
}

const requestFields = ({ body, query }: (typeof endpoints)[number]) => [
  ...listFields(body, 'input'),
  ...listFields(query, 'input'),
];

it.each(endpoints)('all fields of $method $path are snake_case', (endpoint) => {
  const names = [...requestFields(endpoint), ...listFields(endpoint.responses[200], 'output')];
  expect(
    names.filter((name) => !SPECIFIED_ELSEWHERE.has(name) && !/^[a-z0-9_]+$/.test(name)),
  ).toEqual([]);
});

it.each(endpoints)('errors of $method $path name fields of the request', (endpoint) => {
  const names = requestFields(endpoint);
  const errorFields = Object.values(endpoint.refusals).flatMap(({ field }) => field ?? []);
  expect(errorFields.filter((name) => !names.includes(name))).toEqual([]);
});

it.each(endpoints)('messages about invalid fields of $method $path name the field', (endpoint) => {
  const codes = new Set(
    [endpoint.query, endpoint.body].flatMap((schema) =>
      schema instanceof z.ZodObject ? Object.values(schema.shape).map(errorCodeOf) : [],
    ),
  );
  const unnamed = Object.entries(endpoint.refusals).filter(
    ([code, { field, message }]) =>
      codes.has(code) && !message.toLowerCase().replaceAll(' ', '_').includes(field!),
  );
  expect(unnamed.map(([code, { message }]) => `${code}: ${message}`)).toEqual([]);
});

it('requestFields includes fields of nested objects, lists and queries', () => {
  const names = endpoints.flatMap(requestFields);
  expect(names).toEqual(expect.arrayContaining(['session_id', 'report_ids', 'aggregate', 'after']));
});
