import { readFile } from 'node:fs/promises';
import type { Schema } from '#contract/openapi/json-schema.ts';
import type { Scope } from '#contract/scope.ts';

export function readPublicDocument(): Promise<OpenApiDocument> {
  return readDocument('openapi.json');
}

/** Without the operations at `pathsOff`, and what only they need. */
export async function readOwnerDocument(
  pathsOff: ReadonlySet<string> = new Set(),
): Promise<OpenApiDocument> {
  const document = await readDocument('openapi-owner.json');
  for (const path of pathsOff) delete document.paths[path];
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const areas = new Set(operations.flatMap(({ tags }) => tags));
  const tags = document.tags.filter(({ name }) => areas.has(name));
  return { ...document, tags, components: componentsInUse(document) };
}

async function readDocument(name: string): Promise<OpenApiDocument> {
  const text = await readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
  return JSON.parse(text) as OpenApiDocument;
}

function componentsInUse({ paths, webhooks, components }: OpenApiDocument) {
  const used = new Set<unknown>(Object.values(components['securitySchemes']!));
  // The loop also visits what it adds.
  for (const node of used.add([paths, webhooks]))
    for (const [, section, name] of JSON.stringify(node).matchAll(REFERENCE))
      used.add(components[section!]![name!]);
  return Object.fromEntries(
    Object.entries(components).map(([section, all]) => [
      section,
      Object.fromEntries(Object.entries(all).filter(([, component]) => used.has(component))),
    ]),
  );
}

const REFERENCE = /"#\/components\/(\w+)\/(\w+)"/g;

/** The parts of our OpenAPI documents that the server reads. */
export interface OpenApiDocument {
  info: { summary: string; description: string; contact: { name: string } };
  servers: { url: string }[];
  tags: { name: string; 'x-displayName': string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, { post: OpenApiOperation }>;
  components: Record<string, Record<string, unknown>>;
}

export interface OpenApiOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  /** Undefined if the operation needs no key. */
  'x-scope'?: Scope;
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, OpenApiResponse | Reference>;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: string;
  description: string;
  required: boolean;
  schema: Schema;
}

export interface OpenApiResponse {
  headers?: Record<string, { schema?: Schema }>;
  content?: Record<string, MediaType>;
}

interface MediaType {
  schema: Schema;
  example?: unknown;
  /** Of errors, by code. */
  examples?: Record<string, Example>;
}

interface Example {
  value: unknown;
}

/** Follows a reference into the components of the document. */
export function resolve<T extends object>(document: OpenApiDocument, node: T | Reference): T {
  if (!('$ref' in node) || node.$ref === undefined) return node as T;
  const [section, name] = node.$ref.split('/').slice(-2) as [string, string];
  return document.components[section]![name] as T;
}
