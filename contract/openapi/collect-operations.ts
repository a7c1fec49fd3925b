import { generateOpenApiAsync } from '@ts-rest/open-api';
import { z } from 'zod';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { deprecateFields } from '../deprecations.ts';
import { exampleOf } from './example-of.ts';
import { referencedName, type Schema, type Schemas, toJsonSchema } from './json-schema.ts';
import { addOnce, type JsonObject } from './json.ts';

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

/** An operation as `generateOpenApiAsync` returns it. */
interface GeneratedOperation {
  operationId: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

interface Body {
  content: { 'application/json': { schema: Schema } };
}

export async function collectOperations(contract: Contract): Promise<CollectedContract> {
  const schemas: Schemas = {};
  // The synchronous generator omits request headers.
  const { paths } = await generateOpenApiAsync(
    contract,
    { info: { title: '', version: '' } },
    {
      setOperationId: true,
      schemaTransformer: async ({ schema, type }) => {
        if (!(schema instanceof z.ZodType)) return null;
        const { root, definitions } = toJsonSchema(
          schema,
          type === 'response' ? 'output' : 'input',
        );
        for (const [name, definition] of Object.entries(definitions))
          addOnce(schemas, name, definition);
        return root as JsonObject;
      },
    },
  );
  const operations = Object.entries(
    paths as Record<string, Record<string, GeneratedOperation>>,
  ).flatMap(([path, methods]) =>
    Object.values(methods).map((generated) => toOperation(contract, path, generated)),
  );
  for (const { request, route } of operations)
    if (request !== undefined && 'unknownField' in route.metadata.refusals)
      schemas[request] = { ...schemas[request], additionalProperties: false };
  for (const [name, { properties = {} }] of Object.entries(schemas))
    deprecateFields(name, properties);
  return { operations, schemas };
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

function toOperation(contract: Contract, path: string, generated: GeneratedOperation): Operation {
  const { operationId: id, tags, parameters, requestBody, responses } = generated;
  const area = tags[0] ?? '';
  const route = contract[area]?.[id];
  if (route === undefined) throw new Error(`The operation ${id} has no area.`);
  deprecateFields(id, Object.fromEntries(parameters.map((field) => [field.name, field])));
  return {
    area,
    id,
    method: route.method,
    path,
    route,
    parameters,
    request: requestBody && schemaNameOf(requestBody, id),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, schemaNameOf(response, id)]),
    ),
  };
}

function schemaNameOf({ content }: Body, operation: string): string {
  const name = referencedName(content['application/json'].schema);
  if (name === '') throw new Error(`A body of ${operation} has a schema without an id.`);
  return name;
}
