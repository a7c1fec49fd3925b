import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import {
  DELIVERED_EVENT_TYPES,
  isServerEvent,
  SERVER_EVENT_TYPES,
} from '#contract/shared/event-types.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { ComponentCollector } from './components.ts';
import { examples, generateExamples } from './examples.ts';
import { info, securitySchemes, servers, tags } from './info.ts';
import type { JsonObject } from './json.ts';
import { toOperationObject } from './operation.ts';
import { ownerInfo, ownerTags } from './owner-info.ts';
import { collectOperations, type CollectedContract } from './collect-operations.ts';
import { securityOf, type DocumentTexts } from './document-texts.ts';
import { type CollectedWebhooks, collectWebhooks } from './webhooks.ts';

export async function buildDocument(): Promise<JsonObject> {
  const texts = { info, servers, tags, examples, securitySchemes };
  const types = DELIVERED_EVENT_TYPES.filter((type) => !isServerEvent(type));
  return toDocument(await collectOperations(contract), texts, collectWebhooks(types));
}

export async function buildOwnerDocument(): Promise<JsonObject> {
  const collected = await collectOperations(ownerContract as Contract);
  const texts = {
    info: ownerInfo,
    servers,
    tags: ownerTags,
    examples: generateExamples(collected),
    securitySchemes,
  };
  return toDocument(collected, texts, collectWebhooks(SERVER_EVENT_TYPES));
}

function toDocument(
  { operations, schemas }: CollectedContract,
  texts: DocumentTexts,
  { webhooks, schemas: webhookSchemas }: CollectedWebhooks = { webhooks: {}, schemas: {} },
): JsonObject {
  const allSchemas = { ...schemas, ...webhookSchemas };
  const components = new ComponentCollector(allSchemas, texts.securitySchemes);
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
    webhooks,
    components: components.build(),
  };
}
