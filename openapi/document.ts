import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { ComponentCollector } from './components.ts';
import { examples, examplesOfFields } from './examples.ts';
import { info, securitySchemes, servers, tags } from './info.ts';
import type { JsonObject } from './json.ts';
import { links } from './links.ts';
import { toOperationObject } from './operation.ts';
import { ownerInfo, ownerTags } from './owner-info.ts';
import { walk, type Walk } from './walk.ts';
import { securityOf, type Words } from './words.ts';

/** The OpenAPI 3.1 documents, by their files. */
export const DOCUMENTS = {
  'openapi.json': buildDocument,
  'openapi-owner.json': buildOwnerDocument,
} as const;

/** The document of the contract. */
export async function buildDocument(): Promise<JsonObject> {
  const words = { info, servers, tags, examples, links, securitySchemes };
  return toDocument(await walk(contract), words);
}

/** The document of the owner contract. */
async function buildOwnerDocument(): Promise<JsonObject> {
  const found = await walk(ownerContract as Contract);
  return toDocument(found, {
    info: ownerInfo,
    servers,
    tags: ownerTags,
    examples: examplesOfFields(found),
    links: {},
    securitySchemes,
  });
}

/** A document as it is published, byte for byte. */
export async function documentText(build: () => Promise<JsonObject>): Promise<string> {
  return `${JSON.stringify(await build(), null, 2)}\n`;
}

/** The document of what a walk found, in the words that only people can write. */
export function toDocument({ operations, schemas }: Walk, words: Words): JsonObject {
  const components = new ComponentCollector(schemas, words.securitySchemes);
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
    security: securityOf(words),
    tags: words.tags,
    paths,
    components: components.all(),
  };
}
