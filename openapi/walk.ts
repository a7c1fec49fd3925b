import { generateOpenApiAsync } from '@ts-rest/open-api';
import { z } from 'zod';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { exampleOf } from './example-of.ts';
import type { JsonObject } from './json.ts';
import { referenced, type Schema, type Schemas, toJsonSchema } from './json-schema.ts';

/** A header, or whatever else an operation takes beside its body. */
export interface Parameter {
  name: string;
  in: string;
  description: string;
  required?: true;
  schema: Schema;
}

/** An operation of a contract; its bodies are named by their schemas. */
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

/** Walk through a contract, for all that is generated from it. */
export interface Walk {
  operations: Operation[];
  schemas: Schemas;
}

/** Operation as ts-rest writes it. */
interface Generated {
  operationId: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

interface Body {
  content: { 'application/json': { schema: Schema } };
}

/** Goes over every operation of a contract once. */
export async function walk(contract: Contract): Promise<Walk> {
  const schemas: Schemas = {};
  // @NOTE the synchronous generator leaves request headers out.
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
          define(schemas, name, definition);
        return root as JsonObject;
      },
    },
  );
  const operations = Object.entries(paths as Record<string, Record<string, Generated>>).flatMap(
    ([path, methods]) =>
      Object.values(methods).map((generated) => toOperation(contract, path, generated)),
  );
  return { operations, schemas };
}

/** Whether nobody is asked for a key or a session. */
export function isOpen({ route }: Operation): boolean {
  return route.metadata.open === true;
}

/** Example of the query that an operation needs. */
export function queryOf({ parameters }: Operation): Record<string, string> {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return Object.fromEntries(
    needed.map(({ name, schema }) => [name, String(exampleOf(schema, {}))]),
  );
}

function toOperation(contract: Contract, path: string, generated: Generated): Operation {
  const { operationId: id, tags, parameters, requestBody, responses } = generated;
  const area = tags[0] ?? '';
  const route = contract[area]?.[id];
  if (route === undefined) throw new Error(`The operation ${id} is in no area.`);
  return {
    area,
    id,
    method: route.method,
    path,
    route,
    parameters,
    request: requestBody && nameOf(requestBody, id),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, nameOf(response, id)]),
    ),
  };
}

function nameOf({ content }: Body, operation: string): string {
  const name = referenced(content['application/json'].schema);
  if (name === '') throw new Error(`A body of ${operation} has a schema without an id.`);
  return name;
}

function define(schemas: Schemas, name: string, schema: Schema): void {
  const known = schemas[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two different schemas are named ${name}.`);
  schemas[name] = schema;
}
