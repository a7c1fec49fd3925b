import { collectEvents } from '../../contract/openapi/webhooks.ts';
import { DELIVERED_EVENT_TYPES } from '../../contract/shared/event-types.ts';
import { printDeclaration } from './print-type.ts';

export function printWebhookEvents(): string {
  const { events, schemas } = collectEvents(DELIVERED_EVENT_TYPES);
  return [
    '// Generated from the contract: change it there and run `npm run generate`.',
    "import type { OtherValue } from '../other-value.ts';",
    `/** The body of a webhook, by \`type\`. A newer server may send more types. */\nexport type WebhookEvent = ${Object.values(events).join(' | ')};`,
    ...Object.keys(schemas).map((name) => printDeclaration(name, schemas)),
  ].join('\n\n');
}
