import { z } from 'zod';
import { type Contract, inputOf, type Route } from '#contract/define-endpoints.ts';
import { deprecateFields } from '../deprecations.ts';
import { exampleOf } from './example-of.ts';
import { referencedName, type Schema, type Schemas, toJsonSchema } from './json-schema.ts';
import { addOnce } from './json.ts';

/** A header or query parameter. */
export interface Parameter {
  name: string;
  in: string;
  description: string;
  required?: true;
  deprecated?: boolean;
  schema: Schema;
}

/** An operation of a contract. `request` and `responses` are names of schemas. */
export interface Operation {
  area: string;
  id: string;
  method: Route['method'];
  path: string;
  route: Route;
  parameters: Parameter[];
  request: string | undefined;
  responses: Record<string, string>;
}

export interface CollectedContract {
  operations: Operation[];
  schemas: Schemas;
}

export function collectOperations(contract: Contract): CollectedContract {
  const schemas: Schemas = {};
  const operations = Object.entries(contract).flatMap(([area, routes]) =>
    Object.entries(routes).map(([id, route]) => collectOperation({ area, id, route }, schemas)),
  );
  for (const { request, route } of operations)
    if (request !== undefined && 'unknownField' in route.metadata.refusals)
      refuseUnknownFields(schemas, request);
  for (const [name, { properties = {} }] of Object.entries(schemas))
    deprecateFields(name, properties);
  return { operations, schemas };
}

/** Also in the objects of its lists. */
function refuseUnknownFields(schemas: Schemas, name: string): void {
  const schema = schemas[name]!;
  schemas[name] = { ...schema, additionalProperties: false };
  for (const { items } of Object.values(schema.properties ?? {}))
    if (items?.$ref) refuseUnknownFields(schemas, referencedName(items));
}

export function isPublic({ route }: Operation): boolean {
  return route.metadata.access === 'none';
}

export function exampleQuery({ parameters }: Operation): Record<string, string> {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return Object.fromEntries(
    required.map(({ name, schema }) => [name, String(exampleOf(schema, {}))]),
  );
}

function collectOperation(
  { area, id, route }: Pick<Operation, 'area' | 'id' | 'route'>,
  schemas: Schemas,
): Operation {
  const { method, path, headers = {}, query } = route;
  const parameters = [
    ...listParameters('header', z.object(headers as z.ZodRawShape)),
    ...(query instanceof z.ZodType ? listParameters('query', query) : []),
  ];
  deprecateFields(id, Object.fromEntries(parameters.map((field) => [field.name, field])));
  const { body } = inputOf(route);
  const request = body && addSchema(schemas, body, 'input');
  const responses = Object.entries(route.responses).map(([status, response]) => [
    status,
    addSchema(schemas, response as z.ZodType, 'output'),
  ]);
  return {
    ...{ area, id, method, path, route, parameters, request },
    responses: Object.fromEntries(responses) as Record<string, string>,
  };
}

function listParameters(location: string, fields: z.ZodType): Parameter[] {
  const { properties = {}, required = [] } = toJsonSchema(fields, 'input').root;
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: location,
    description,
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

/** Adds a schema and the schemas it references. Returns its name. */
function addSchema(schemas: Schemas, schema: z.ZodType, io: 'input' | 'output'): string {
  const { root, definitions } = toJsonSchema(schema, io);
  for (const [name, definition] of Object.entries(definitions)) addOnce(schemas, name, definition);
  const name = referencedName(root);
  if (name === '') throw new Error(`A body has no id: ${JSON.stringify(root)}`);
  return name;
}
