import { contract } from '../contract/index.ts';
import { ComponentCollector } from './components.ts';
import { examples } from './examples/index.ts';
import { info, servers, tags } from './info.ts';
import type { JsonObject } from './json.ts';
import { links } from './links.ts';
import { toOperationObject } from './operation.ts';
import { walk, type Walk } from './walk.ts';
import type { Words } from './words.ts';

/** The OpenAPI 3.1 document of the contract. */
export async function buildDocument(): Promise<JsonObject> {
  return toDocument(await walk(contract), { info, servers, tags, examples, links });
}

/** The document as it is published, byte for byte. */
export async function documentText(): Promise<string> {
  return `${JSON.stringify(await buildDocument(), null, 2)}\n`;
}

/** The document of what a walk found, in the words that only people can write. */
export function toDocument({ operations, schemas }: Walk, words: Words): JsonObject {
  const components = new ComponentCollector(schemas);
  const paths: { [path: string]: JsonObject } = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toOperationObject(operation, words, components),
    };
  return {
    openapi: '3.1.0',
    info: words.info,
    servers: words.servers,
    security: [{ ApiKey: [] }],
    tags: words.tags,
    paths,
    components: components.all(),
  };
}
