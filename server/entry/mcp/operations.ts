import type { Tool } from '@modelcontextprotocol/server';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import type { Schema, Schemas } from '#contract/openapi/json-schema.ts';
import { authenticatedContract } from '#contract/owner/index.ts';
import {
  readOwnerDocument,
  type OpenApiDocument,
  type OpenApiResponse,
  readPublicDocument,
  resolve,
} from '#server/platform/openapi-documents.ts';
import { BLOCKS_SCHEMA, THEME_ID_SCHEMA } from './blocks.ts';
import { toToolTerms } from './call-operation.ts';
import { toOutline, toStandaloneSchema } from './json-schema.ts';

export interface Operation {
  area: string;
  id: string;
  name: string;
  route: Route;
  tool: Tool;
}

const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A unique value of your choice. Makes a retry within 24 hours safe: it changes nothing, and returns the first result with `replayed: true`.',
};

/**
 * Creating a passkey needs a browser, an API key has no session to end, and no key may read the
 * password of the mail server. The `page` tools replace these `site` tools: they detect concurrent
 * edits and are safe to retry.
 */
const EXCLUDED_TOOLS: ReadonlySet<string> = new Set([
  'passkeys_createPasskeyOptions',
  'passkeys_createPasskey',
  'sessions_revokeCurrentSession',
  'server_exportMailSettings',
  'site_getSiteConfiguration',
  'site_updateSiteConfiguration',
  'site_toggleSiteVisibility',
]);

/**
 * Returns the operations that AI clients can use, by tool name. Leaves out operations with a file as
 * body or response, because tools cannot transfer files.
 */
export async function readOperations(
  pathsOff: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Operation>> {
  const operationLists = await Promise.all([
    createOperations(contract as Contract, readPublicDocument(), pathsOff),
    createOperations(authenticatedContract as Contract, readOwnerDocument(pathsOff), pathsOff),
  ]);
  const operations = operationLists.flat();
  const names = new Map(operations.map(({ id, name }) => [id, name]));
  return new Map(
    operations.map((operation) => {
      const toolJson = toToolTerms(JSON.stringify(operation.tool))
        .replaceAll(/ A session needs a login [^.A]*\./g, '')
        // Descriptions name other operations, such as `save`, which are tools here.
        .replaceAll(/`(\w+)`/g, (_match, id: string) => `\`${names.get(id) ?? id}\``);
      return [operation.name, { ...operation, tool: JSON.parse(toolJson) as Tool }];
    }),
  );
}

async function createOperations(
  areas: Contract,
  loading: Promise<OpenApiDocument>,
  pathsOff: ReadonlySet<string>,
): Promise<Operation[]> {
  const document = await loading;
  return Object.entries(areas).flatMap(([area, routes]) =>
    Object.entries(routes)
      .map(([id, route]) => ({ area, id, name: `${area}_${id}`, route }))
      .filter(
        ({ name, route: { metadata, path } }) =>
          !pathsOff.has(path) &&
          !EXCLUDED_TOOLS.has(name) &&
          !metadata.fileTypes &&
          !metadata.uploadTypes,
      )
      .map((operation) => ({
        ...operation,
        tool: createTool(operation.name, operation.route, document),
      })),
  );
}

function createTool(name: string, route: Route, document: OpenApiDocument): Tool {
  const { method, path, summary, metadata } = route;
  const isReadOnly = method === 'GET' || metadata.readOnly === true;
  return {
    name,
    title: summary,
    // With what replaces a deprecated operation.
    description: document.paths[path]![method.toLowerCase()]!.description,
    inputSchema: inputSchemaFor(route, document) as Tool['inputSchema'],
    outputSchema: outputSchemaFor(route, document) as Tool['inputSchema'],
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: metadata.destructive === true,
      idempotentHint: isReadOnly || metadata.idempotent === true,
    },
  };
}

function inputSchemaFor(
  { method, path, headers, metadata }: Route,
  document: OpenApiDocument,
): Schema {
  const { requestBody, parameters = [] } = document.paths[path]![method.toLowerCase()]!;
  const json = requestBody?.content['application/json'];
  const body = json ? resolve<Schema>(document, json.schema) : {};
  const query = parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' ? [parameter] : [],
  );
  const properties: Schemas = { ...body.properties };
  for (const { name, description, schema } of query) properties[name] = { description, ...schema };
  if (properties['blocks']) properties['blocks'] = BLOCKS_SCHEMA;
  if (properties['theme_id']) properties['theme_id'] = THEME_ID_SCHEMA;
  if ('idempotency-key' in (headers ?? {})) properties['idempotency_key'] = IDEMPOTENCY_KEY;
  const required = query.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
  return toStandaloneSchema(
    {
      ...body,
      ...('unknownField' in metadata.refusals && { additionalProperties: false }),
      type: 'object',
      properties,
      required: [...(body.required ?? []), ...required],
    },
    document,
  );
}

function outputSchemaFor({ method, path, metadata }: Route, document: OpenApiDocument): Schema {
  const { responses } = document.paths[path]![method.toLowerCase()]!;
  const { content } = resolve<OpenApiResponse>(document, responses[200]!);
  const outline = toOutline(content?.['application/json']?.schema ?? {}, document);
  return metadata.untrustedFields
    ? { ...outline, properties: { notice: { type: 'string' }, ...outline.properties } }
    : outline;
}
