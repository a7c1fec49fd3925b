import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { ComponentCollector } from './components.ts';
import { examples, generateExamples } from './examples.ts';
import { info, securitySchemes, servers, tags } from './info.ts';
import type { JsonObject } from './json.ts';
import { toOperationObject } from './operation.ts';
import { ownerInfo, ownerTags } from './owner-info.ts';
import { collectOperations, type CollectedContract } from './collect-operations.ts';
import { securityOf, type DocumentTexts } from './document-texts.ts';

export async function buildDocument(): Promise<JsonObject> {
  const texts = { info, servers, tags, examples, securitySchemes };
  return toDocument(await collectOperations(contract), texts);
}

export async function buildOwnerDocument(): Promise<JsonObject> {
  const collected = await collectOperations(ownerContract as Contract);
  return toDocument(collected, {
    info: ownerInfo,
    servers,
    tags: ownerTags,
    examples: generateExamples(collected),
    securitySchemes,
  });
}

export function toDocument(
  { operations, schemas }: CollectedContract,
  texts: DocumentTexts,
): JsonObject {
  const components = new ComponentCollector(schemas, texts.securitySchemes);
  const paths: { [path: string]: JsonObject } = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toOperationObject(operation, texts, components),
    };
  return {
    openapi: '3.1.0',
    info: texts.info,
    servers: texts.servers,
    security: securityOf(texts),
    tags: texts.tags,
    paths,
    components: components.build(),
  };
}
