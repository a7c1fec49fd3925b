import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Schema } from '#contract/openapi/json-schema.ts';
import type { Scope } from '#contract/scope.ts';
import { loadOnce } from './load-once.ts';

export async function readPublicDocument(): Promise<OpenApiDocument> {
  return JSON.parse(
    await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'),
  ) as OpenApiDocument;
}

/** By the paths that it leaves out. All servers of a process share them, because tests start many. */
const ownerDocuments = new Map<string, () => Promise<OpenApiDocument>>();

/** Built on first use, in a thread, because it takes half a second of processor time. */
export function loadOwnerDocument(pathsOff?: ReadonlySet<string>): Promise<OpenApiDocument> {
  const workerData = [...(pathsOff ?? [])];
  const key = workerData.join();
  const load = ownerDocuments.get(key) ?? loadOnce(() => buildOwnerDocument(workerData));
  ownerDocuments.set(key, load);
  return load();
}

async function buildOwnerDocument(workerData: readonly string[]): Promise<OpenApiDocument> {
  const worker = new Worker(
    new URL('../../contract/openapi/owner-document-worker.ts', import.meta.url),
    { workerData },
  );
  const [json] = (await once(worker, 'message')) as [string];
  return JSON.parse(json) as OpenApiDocument;
}

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
