import { z } from 'zod';
import type { DeliveredEventType } from '#contract/shared/event-types.ts';
import { WEBHOOK_EVENTS } from '../webhook-events.ts';
import { exampleOf } from './example-of.ts';
import { referencedName, type Schemas, toJsonSchema } from './json-schema.ts';
import { addOnce, type JsonObject } from './json.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The id of the delivery. It is the same if the event is sent again.',
  'webhook-timestamp': 'When the request was signed, in seconds since 1970.',
  'webhook-signature':
    'One or two signatures, separated by a space: `v1,` and the Base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`.',
};

export interface CollectedWebhooks {
  webhooks: JsonObject;
  schemas: Schemas;
}

/** The requests that webhooks get, as `webhooks` of OpenAPI 3.1, and the schemas of their bodies. */
export function collectWebhooks(types: readonly DeliveredEventType[]): CollectedWebhooks {
  const schemas: Schemas = {};
  const webhooks = types.map((type) => {
    const { root, definitions } = toJsonSchema(z.object({ event: WEBHOOK_EVENTS[type] }), 'output');
    for (const [name, schema] of Object.entries(definitions)) addOnce(schemas, name, schema);
    return [type, toWebhook(type, referencedName(root.properties!['event']!), schemas)];
  });
  return { webhooks: Object.fromEntries(webhooks) as JsonObject, schemas };
}

function toWebhook(type: DeliveredEventType, name: string, schemas: Schemas): JsonObject {
  return {
    post: {
      operationId: `on${name}`,
      summary: (type.charAt(0).toUpperCase() + type.slice(1)).replaceAll('_', ' '),
      description: schemas[name]!.description!,
      security: [],
      parameters: Object.entries(HEADERS).map(([header, description]) => ({
        name: header,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${name}` },
            examples: { [type]: { value: exampleOf(schemas[name]!, schemas) } },
          },
        },
      },
      responses: {
        204: { description: 'The event arrived. Any other 2xx status has the same effect.' },
        410: { description: 'The receiver no longer exists: the connection is switched off.' },
      },
    },
  } as JsonObject;
}
