import type { Schema } from '../../../../contract/openapi/json-schema.ts';

export const REFERENCES = [
  { path: '/docs/', file: '/openapi.json', label: 'API' },
  { path: '/docs/owner/', file: '/owner/openapi.json', label: 'For owners' },
] as const;

export const ERRORS_PATH = '/docs/errors';

/** The parts of our OpenAPI documents that the reference shows. */
export interface OpenApiDocument {
  info: { summary: string; description: string };
  servers: { url: string }[];
  tags: { name: string; 'x-displayName': string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: Record<string, Record<string, unknown>>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: object[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, OpenApiResponse | Reference>;
  'x-codeSamples': { label: string; source: string }[];
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
  examples?: Record<string, Example | Reference>;
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
