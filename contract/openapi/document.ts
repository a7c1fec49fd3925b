import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import {
  DELIVERED_EVENT_TYPES,
  isServerEvent,
  SERVER_EVENT_TYPES,
} from '#contract/shared/event-types.ts';
import { collectOperations, type CollectedContract } from './collect-operations.ts';
import { ComponentCollector } from './components.ts';
import { info, security, servers, tags } from './info.ts';
import type { JsonObject } from './json.ts';
import { toOperationObject } from './operation.ts';
import { ownerInfo, ownerTags } from './owner-info.ts';
import { type CollectedEvents, collectEvents, toWebhooks } from './webhooks.ts';

export function buildDocument(): JsonObject {
  const types = DELIVERED_EVENT_TYPES.filter((type) => !isServerEvent(type));
  return toDocument(collectOperations(contract), { info, tags }, collectEvents(types));
}

export function buildOwnerDocument(): JsonObject {
  const texts = { info: ownerInfo, tags: ownerTags };
  return toDocument(collectOperations(ownerContract), texts, collectEvents(SERVER_EVENT_TYPES));
}

function toDocument(
  collected: CollectedContract,
  texts: { info: JsonObject; tags: JsonObject[] },
  { events, schemas }: CollectedEvents,
): JsonObject {
  const components = new ComponentCollector({ ...collected.schemas, ...schemas });
  const paths: { [path: string]: JsonObject } = {};
  for (const operation of collected.operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toOperationObject(operation, components),
    };
  return {
    openapi: '3.1.0',
    info: texts.info,
    servers,
    security,
    tags: texts.tags,
    paths,
    webhooks: toWebhooks(events, components),
    components: components.build(),
  };
}
