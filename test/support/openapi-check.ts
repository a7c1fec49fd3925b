import { readFileSync } from 'node:fs';
import { SERVER_REFUSALS } from '#server/http/responses/refusals.ts';
import { LISTED_ERRORS } from './every-answer.ts';
import { schemaReader } from './openapi-ajv.ts';

interface Reference {
  $ref: string;
}
interface Response {
  headers: Record<string, Reference> & { 'X-Error-Code'?: { schema: { enum: string[] } } };
  /** A file is of another type. */
  content: Record<string, { schema: Reference }>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Reference> }>>;
  components: {
    responses: Record<string, Response>;
    headers: Record<string, { required?: boolean; schema: { type: string } }>;
  };
}

/** A document with what reads its schemas. */
function readDocument(file: string) {
  const document = JSON.parse(
    readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'),
  ) as Document;
  return { ...document, validator: schemaReader(document) };
}

const api = readDocument('openapi.json');
const owner = readDocument('openapi-owner.json');

/** Statuses of the HTTP parser, which answers before it knows the path, so that no operation lists them. */
const BELOW_OPERATIONS = new Set([400, 408, 431]);
/** Names of what is refused before the operation is known. */
const BELOW_CODES = new Set(Object.keys(SERVER_REFUSALS));
const ERROR: Response = {
  headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
};

/** Paths of which the documents know nothing: pages for people, and messages of another protocol. */
const UNDOCUMENTED =
  /^\/(?:$|mcp$|confirm\/|@|%40|robots\.txt$|favicon\.ico$|fonts\/|pictures\/|metric\/|card\.(?:png|vcf)$|page\.json$|qr\.svg$|click$|report$|dashboard(?:\/|$)|\.well-known\/)/;

/**
 * Throws unless an answer is one that a document describes: its status, its headers and its body.
 * Elsewhere than at a documented operation it only knows how errors look.
 */
export function checkResponse(
  method: string,
  path: string,
  status: number,
  headers: Headers,
  bodyText: string,
): void {
  const what = `${method} ${path} answered ${status}`;
  const code = headers.get('x-error-code');
  if (status < 400 ? code !== null : !LISTED_ERRORS.has(`${status} ${code}`))
    throw new Error(`${what} with the error code ${code}, which docs/errors.md does not list`);
  if (UNDOCUMENTED.test(path)) return;
  const document = path.startsWith('/owner/') ? owner : api;
  const { validator, components } = document;
  const isPage = headers.get('content-type')?.startsWith('text/html');
  // Browsers get a page at a path that does not exist.
  if (status === 404 && isPage && !(path in document.paths)) return;
  const check = (told: string, $ref: string, value: unknown) => {
    const problem = validator($ref)(value);
    if (problem !== undefined) throw new Error(`${told} that is no ${lastPart($ref)}: ${problem}`);
  };
  const checkHeader = (told: string, $ref: string, value: string | null) => {
    const { required, schema } = components.headers[lastPart($ref)]!;
    if (value === null && !required) return;
    check(told, `${$ref}/schema`, schema.type === 'integer' && value ? Number(value) : value);
  };
  const response = findResponse(document, { what, method, path, status });
  if (!response) return;
  const { 'X-Error-Code': declared, ...named } = response.headers;
  if (declared && !declared.schema.enum.includes(code ?? '') && !BELOW_CODES.has(code ?? ''))
    throw new Error(`${what} with the error code ${code}, which the document does not list`);
  for (const [name, { $ref }] of Object.entries(named))
    checkHeader(`${what} with the header ${name}`, $ref, headers.get(name));
  const contentType = headers.get('content-type')?.replace('; charset=utf-8', '') ?? 'nothing';
  const media = response.content[contentType];
  if (!media) throw new Error(`${what} with the content type ${contentType}`);
  const isFile = Object.keys(response.content).join() !== 'application/json';
  if (isFile || method.toUpperCase() === 'HEAD') return;
  const { $ref } = media.schema;
  check(`${what} with a body`, $ref, parse(what, bodyText));
}

function findResponse(
  { paths, components }: Document,
  { what, method, path, status }: { what: string; method: string; path: string; status: number },
): Response | undefined {
  const verb = method.toLowerCase().replace('head', 'get');
  const operation = paths[path]?.[verb];
  if (!operation) return status < 400 ? undefined : ERROR;
  const reference = operation.responses[status];
  if (reference) return components.responses[lastPart(reference.$ref)];
  if (BELOW_OPERATIONS.has(status)) return ERROR;
  throw new Error(`${what}, which the document does not list`);
}

function parse(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${what} with a body that is not JSON: ${text.slice(0, 200)}`);
  }
}

function lastPart(reference: string): string {
  return reference.split('/').at(-1)!;
}
