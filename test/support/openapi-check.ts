import { NON_ENDPOINT_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { readOwnerDocument, readPublicDocument } from '#server/platform/openapi-documents.ts';
import { createSchemaCompiler } from './openapi-schema-compiler.ts';
import { DOCUMENTED_ERRORS } from './response-expectations.ts';

interface Reference {
  $ref: string;
}
interface Response {
  'x-error-codes'?: string[];
  headers: Record<string, Reference>;
  /** By content type. */
  content: Record<string, { schema: Reference }>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Reference | Response> }>>;
  components: {
    responses: Record<string, Response>;
    headers: Record<string, { required?: boolean; schema: { type: string } }>;
  };
}

const api = prepare(await readPublicDocument());
const owner = prepare(await readOwnerDocument());

function prepare(document: object) {
  return { ...(document as Document), compileSchema: createSchemaCompiler(document) };
}

/** Statuses that the HTTP parser sends before it knows the path, so operations do not declare them. */
const PARSER_STATUSES = new Set([400, 408, 431]);
/** Codes of errors that occur before routing, so operations do not declare them. */
const SERVER_ERROR_CODES = new Set(Object.keys(NON_ENDPOINT_REFUSALS));
const ERROR_RESPONSE: Response = {
  headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
};

/** Paths of HTML pages, files and MCP, which the OpenAPI documents do not contain. */
const UNDOCUMENTED_PATH =
  /^\/(?:$|mcp$|confirm\/|@|%40|robots\.txt$|favicon\.ico$|fonts\/|pictures\/|metric\/|card\.(?:png|vcf)$|page\.json$|qr\.(?:png|svg)$|share$|click$|message$|report$|dashboard(?:\/|$)|\.well-known\/)/;

/**
 * Throws if a response's status, headers or body do not match the OpenAPI documents. For paths that
 * they do not contain, only errors are checked.
 */
export function checkResponse(
  method: string,
  path: string,
  status: number,
  headers: Headers,
  bodyText: string,
): void {
  // The errors of OAuth are not ours.
  if (path.startsWith('/oauth/')) return;
  const context = `${method} ${path} returned ${status}`;
  const code = headers.get('x-error-code');
  if (status < 400 ? code !== null : !DOCUMENTED_ERRORS.has(`${status} ${code}`))
    throw new Error(`${context} with the error code ${code}, which is not at /docs/errors`);
  if (UNDOCUMENTED_PATH.test(path)) return;
  const document = path.startsWith('/owner/') ? owner : api;
  const { compileSchema, components } = document;
  const isPage = headers.get('content-type')?.startsWith('text/html');
  // Browsers get an HTML page for paths that do not exist.
  if (status === 404 && isPage && !(path in document.paths)) return;
  const validate = (subject: string, $ref: string, value: unknown) => {
    const problem = compileSchema($ref)(value);
    if (problem !== undefined)
      throw new Error(`${subject} that does not match ${lastSegment($ref)}: ${problem}`);
  };
  const validateHeader = (subject: string, $ref: string, value: string | null) => {
    const { required, schema } = components.headers[lastSegment($ref)]!;
    if (value === null && !required) return;
    validate(subject, `${$ref}/schema`, schema.type === 'integer' && value ? Number(value) : value);
  };
  const response = findResponse(document, { context, method, path, status });
  if (!response) return;
  const { 'x-error-codes': codes = [], headers: documentedHeaders } = response;
  if (
    documentedHeaders['X-Error-Code'] &&
    !codes.includes(code ?? '') &&
    !SERVER_ERROR_CODES.has(code ?? '')
  )
    throw new Error(`${context} with the error code ${code}, which is not in the OpenAPI document`);
  for (const [name, { $ref }] of Object.entries(documentedHeaders))
    validateHeader(`${context} with the header ${name}`, $ref, headers.get(name));
  const contentType = headers.get('content-type')?.replace('; charset=utf-8', '') ?? 'nothing';
  const mediaType = response.content[contentType];
  if (!mediaType) throw new Error(`${context} with the content type ${contentType}`);
  const isFile = Object.keys(response.content).join() !== 'application/json';
  if (isFile || method.toUpperCase() === 'HEAD') return;
  const { $ref } = mediaType.schema;
  validate(`${context} with a body`, $ref, parseJson(context, bodyText));
}

function findResponse(
  { paths, components }: Document,
  {
    context,
    method,
    path,
    status,
  }: { context: string; method: string; path: string; status: number },
): Response | undefined {
  const operationMethod = method.toLowerCase().replace('head', 'get');
  const operation = paths[path]?.[operationMethod];
  if (!operation) return status < 400 ? undefined : ERROR_RESPONSE;
  const response = operation.responses[status];
  if (response)
    return '$ref' in response ? components.responses[lastSegment(response.$ref)] : response;
  if (PARSER_STATUSES.has(status)) return ERROR_RESPONSE;
  throw new Error(`${context}, which is not in the OpenAPI document`);
}

function parseJson(context: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${context} with a body that is not JSON: ${text.slice(0, 200)}`);
  }
}

function lastSegment(reference: string): string {
  return reference.split('/').at(-1)!;
}
