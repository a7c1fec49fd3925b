import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Contract, type Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { authenticatedContract, ownerContract } from '#contract/owner/index.ts';

const AREAS =
  'account accounts addresses alerts clients connections domains events forwarding grants groups identities invitations keepers keys members messages metrics page passkeys pictures projects reports server sessions visitors';
const VERBS =
  'list get create update delete revoke suspend resume query export import check preview send upload restore accept cancel close approve decline rotate invite remove transfer add';

const operations = Object.entries(ownerContract as Contract).flatMap(([area, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ area, name, route })),
);
const verbOf = (name: string) => /^[a-z]+/.exec(name)![0];
const nounOf = (name: string) => name.slice(verbOf(name).length);
const toSnakeCase = (name: string) =>
  name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

const responseOf = ({ responses }: Route) => responses[200] as z.ZodType;
const shapeOf = (schema: unknown): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? schema.shape : {};
const idOf = (schema: z.ZodType | undefined) => schema?.meta()?.id;

/** Every object in a response, with the noun of the field that contains it. */
function objectsIn(schema: unknown, noun: string): [noun: string, schema: z.ZodObject][] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return objectsIn(schema.unwrap(), noun);
  if (schema instanceof z.ZodArray)
    return objectsIn(schema.element, noun.replace(/ies$/, 'y').replace(/s$/, ''));
  if (!(schema instanceof z.ZodObject)) return [];
  const inner = Object.entries(schema.shape).flatMap(([name, field]) => objectsIn(field, name));
  return [[noun, schema], ...inner];
}

it.each(operations)('$area.$name begins with a known verb and names its noun', ({ area, name }) => {
  expect(AREAS.split(' ')).toContain(area);
  expect(VERBS.split(' ')).toContain(verbOf(name));
  expect(nounOf(name)).toMatch(/^[A-Z]/);
});

it('no name of an operation that an account can call occurs twice in an area', () => {
  const names = [contract, authenticatedContract].flatMap((areas) =>
    Object.entries(areas as Contract).flatMap(([area, routes]) =>
      Object.keys(routes).map((name) => `${area}_${name}`),
    ),
  );
  expect(new Set(names).size).toBe(names.length);
});

it.each(operations)('things in the response of $name have their own id as `id`', (operation) => {
  const objects = objectsIn(responseOf(operation.route), '');
  const repeated = objects.flatMap(([noun, schema]) =>
    [noun, toSnakeCase(idOf(schema) ?? '')]
      .map((name) => `${name}_id`)
      .filter((field) => field in schema.shape),
  );
  expect(repeated).toEqual([]);
});

it.each(operations.filter(({ name }) => verbOf(name) === 'list'))(
  '$name answers with the noun in the plural, and with `next` exactly if it takes `after` and `limit`',
  ({ name, route }) => {
    const { listField } = route.metadata;
    expect(toSnakeCase(nounOf(name))).toMatch(new RegExp(`(?:^|_)${listField}$`));
    const [fields, query] = [responseOf(route), route.query].map((schema) =>
      Object.keys(shapeOf(schema)),
    );
    expect(fields).toContain(listField);
    const isPaged = fields!.includes('next');
    expect([query!.includes('after'), query!.includes('limit')]).toEqual([isPaged, isPaged]);
  },
);
