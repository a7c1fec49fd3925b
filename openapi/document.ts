import { contract } from '../contract/index.ts';
import { ComponentCollector } from './components.ts';
import { info, servers, tags } from './info.ts';
import type { JsonObject } from './json.ts';
import { toOperationObject } from './operation.ts';
import { walk, type Walk } from './walk.ts';

/** The OpenAPI 3.1 document of the contract. */
export async function buildDocument(): Promise<JsonObject> {
  return toDocument(await walk(contract));
}

/** The document as it is published, byte for byte. */
export async function documentText(): Promise<string> {
  return `${JSON.stringify(await buildDocument(), null, 2)}\n`;
}

function toDocument({ operations, schemas }: Walk): JsonObject {
  const components = new ComponentCollector(schemas);
  const paths: { [path: string]: JsonObject } = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toOperationObject(operation, schemas, components),
    };
  return {
    openapi: '3.1.0',
    info,
    servers,
    security: [{ ApiKey: [] }],
    tags,
    paths,
    components: components.all(),
  };
}
