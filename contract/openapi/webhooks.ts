import { z } from 'zod';
import type { DeliveredEventType } from '#contract/shared/event-types.ts';
import { WEBHOOK_EVENTS } from '../webhook-events.ts';
import type { ComponentCollector } from './components.ts';
import { referencedName, type Schemas, toJsonSchema } from './json-schema.ts';
import { addOnce, type JsonObject } from './json.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The id of the delivery. It is the same if the event is sent again.',
  'webhook-timestamp': 'When the request was signed, in seconds since 1970.',
  'webhook-signature':
    'One or two signatures, separated by a space: `v1,` and the Base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`.',
};

/** The names of the schemas of events, by type, and the schemas. */
export interface CollectedEvents {
  events: Readonly<Record<string, string>>;
  schemas: Schemas;
}

export function collectEvents(types: readonly DeliveredEventType[]): CollectedEvents {
  const schemas: Schemas = {};
  const events = types.map((type) => {
    const { root, definitions } = toJsonSchema(z.object({ event: WEBHOOK_EVENTS[type] }), 'output');
    for (const [name, schema] of Object.entries(definitions)) addOnce(schemas, name, schema);
    return [type, referencedName(root.properties!['event']!)];
  });
  return { events: Object.fromEntries(events) as Record<string, string>, schemas };
}

/** The requests that webhooks get, as `webhooks` of OpenAPI 3.1. */
export function toWebhooks(
  events: CollectedEvents['events'],
  components: ComponentCollector,
): JsonObject {
  const parameters = Object.entries(HEADERS).map(([name, description]) =>
    components.addParameter({
      ...{ name, in: 'header', description, required: true, schema: { type: 'string' } },
    }),
  );
  const responses = {
    204: components.addResponse('EventReceived', {
      description: 'The event arrived. Any other 2xx status has the same effect.',
    }),
    410: components.addResponse('ReceiverGone', {
      description: 'The receiver no longer exists: the connection is switched off.',
    }),
  };
  const webhooks = Object.entries(events).map(([type, name]) => [
    type,
    {
      post: {
        operationId: `on${name}`,
        summary: (type.charAt(0).toUpperCase() + type.slice(1)).replaceAll('_', ' '),
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
        },
        responses,
      },
    },
  ]);
  return Object.fromEntries(webhooks) as JsonObject;
}
