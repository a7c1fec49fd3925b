import { readFile } from 'node:fs/promises';
import type { Tool } from '@modelcontextprotocol/server';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { authenticatedContract } from '#contract/owner/index.ts';
import { resolved, type Schema, type Schemas, standalone } from './schema.ts';

/** An operation of a contract, and the tool that it is. */
export interface Operation {
  area: string;
  route: Route;
  tool: Tool;
}

/** Parts of a published document that tools are made of. */
interface Document {
  paths: Record<string, Record<string, { requestBody?: Content; parameters?: Parameter[] }>>;
  components: { schemas: Schemas; responses: Record<string, Content> };
}

interface Content {
  content: Record<string, { schema: Schema }>;
}

interface Parameter {
  name?: string;
  in?: string;
  description?: string;
  required?: boolean;
  schema: Schema;
}

const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'Makes a repeat safe: for 24 hours the same key gets the first answer again, and nothing is done twice.',
};

/**
 * Reads the operations of both contracts that a key opens, by the names of their tools. Those whose body or
 * answer is a file are left out: no tool can hold it.
 */
export async function readOperations(): Promise<ReadonlyMap<string, Operation>> {
  const found = await Promise.all([
    operationsOf(contract as Contract, 'openapi.json'),
    operationsOf(authenticatedContract as Contract, 'openapi-owner.json'),
  ]);
  return new Map(found.flat().map((operation) => [operation.tool.name, operation]));
}

async function operationsOf(all: Contract, file: string): Promise<Operation[]> {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  const document = JSON.parse(text) as Document;
  return Object.entries(all).flatMap(([area, routes]) =>
    Object.entries(routes)
      .filter(([, { metadata }]) => !metadata.fileTypes && !metadata.uploadTypes)
      .map(([id, route]) => ({
        area,
        route,
        tool: toolOf(`${area}_${id}`, route, document),
      })),
  );
}

function toolOf(name: string, route: Route, document: Document): Tool {
  const { method, summary, description, metadata } = route;
  const isReadOnly = method === 'GET' || metadata.readOnly === true;
  return {
    name,
    title: summary,
    description,
    inputSchema: inputOf(route, document) as Tool['inputSchema'],
    outputSchema: outputOf(route, document) as Tool['inputSchema'],
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: metadata.destructive === true,
      idempotentHint: isReadOnly || metadata.idempotent === true,
    },
  };
}

/** Arguments: the fields of the body or the query, and the key of a write that takes one. */
function inputOf({ method, path, headers }: Route, { paths, components }: Document): Schema {
  const { requestBody, parameters = [] } = paths[path]![method.toLowerCase()]!;
  const { schemas } = components;
  const json = requestBody?.content['application/json'];
  const body = json ? resolved(json.schema, schemas) : {};
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const properties: Schemas = { ...body.properties };
  for (const { name = '', description, schema } of query)
    properties[name] = { description, ...schema };
  if ('idempotency-key' in (headers ?? {})) properties['idempotencyKey'] = IDEMPOTENCY_KEY;
  const required = query.flatMap(({ name = '', required: isRequired }) =>
    isRequired ? [name] : [],
  );
  return standalone(
    { ...body, type: 'object', properties, required: [...(body.required ?? []), ...required] },
    schemas,
  );
}

function outputOf({ method, path }: Route, { paths, components }: Document): Schema {
  const { schemas, responses } = components;
  const operation = paths[path]![method.toLowerCase()] as { responses?: Record<string, Schema> };
  const reference = operation.responses?.['200']?.$ref ?? '';
  const answer = responses[reference.slice(reference.lastIndexOf('/') + 1)];
  return standalone(answer?.content['application/json']?.schema ?? {}, schemas);
}
