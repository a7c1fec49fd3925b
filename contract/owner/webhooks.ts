import { z } from 'zod';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { CHAT_REFUSALS } from '../chat-refusals.ts';
import { field, booleanField, objectSchema, textField, timeField } from '../fields.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import {
  ChatWebhookResponse,
  MESSAGE_EMPTY_REFUSALS,
  payload,
  webhookUrlInvalid,
  webhookUrl,
} from '../hooks.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { SuccessResponse } from '../result-fields.ts';
import { forField, refusal } from '../refusal.ts';
import { EXTERNAL_WRITE_REFUSALS } from '../request-refusals.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';

const ID_DESCRIPTION = { description: 'The id of the stored webhook.' };
const EXAMPLE_ID = '0d9f4b1e-3c2a-4f57-8a6e-7b1c2d3e4f50';

export const webhookId = field(
  'webhookIdInvalid',
  uuid('must be the id of one of your webhooks.').meta({
    ...ID_DESCRIPTION,
    examples: [EXAMPLE_ID],
  }),
);

export const STORED_WEBHOOK_REFUSALS = {
  storedWebhookNotFound: forField(
    'webhook_id',
    refusal(404, 'The account has no stored webhook with this id.', 'You have no such webhook.'),
  ),
};

export const UNREADABLE_WEBHOOK_REFUSALS = {
  storedWebhookUnreadable: refusal(
    400,
    'The webhook was encrypted with another `ENCRYPTION_KEY`, or its host is no longer allowed.',
    'The server cannot read this webhook any more. Delete it and add it again.',
  ),
};

export const STORE_WEBHOOK_REFUSALS = {
  webhookLimitReached: refusal(
    400,
    `The account already has ${LIMITS.webhooks} stored webhooks.`,
    'This account has reached its limit of {limit} webhooks. Delete one first.',
    { limit: LIMITS.webhooks },
  ),
  webhooksNotStored: refusal(
    400,
    'The server uses an external database, and `ENCRYPTION_KEY` is not set.',
    'This server stores no webhooks. Its operator has to set ENCRYPTION_KEY first.',
  ),
};

const Webhook = objectSchema('Webhook', 'A stored webhook.', {
  id: uuid().meta({ ...ID_DESCRIPTION, examples: [EXAMPLE_ID] }),
  name: textField('The name of the webhook.', LIMITS.webhookName, '#shop'),
  platform_id: textField(
    'The id of the webhook at Discord. Its token is never returned.',
    20,
    '1234567890',
  ),
  created_at: timeField('When the webhook was stored', '2026-01-31T09:30:00.000Z'),
});

const ListWebhooksResponse = objectSchema(
  'ListWebhooksResponse',
  'The stored webhooks of the account.',
  {
    webhooks: z
      .array(Webhook)
      .meta({ description: 'The stored webhooks, oldest first.', maxItems: LIMITS.webhooks }),
    available: booleanField(
      'Whether the server can store webhooks. It needs an encryption key for this.',
      true,
    ),
  },
);

const CreateWebhookRequest = objectSchema('CreateWebhookRequest', 'The webhook to store.', {
  name: field(
    'webhookNameInvalid',
    oneLine(LIMITS.webhookName),
    'The name of the webhook, such as the name of its channel.',
    '#shop',
  ),
  webhook_url: webhookUrl,
});

const CreateWebhookResponse = objectSchema('CreateWebhookResponse', 'The stored webhook.', {
  webhook: Webhook,
});

const DeleteWebhookRequest = objectSchema('DeleteWebhookRequest', 'The webhook to delete.', {
  webhook_id: webhookId,
});

const SendMessageRequest = objectSchema(
  'SendMessageRequest',
  'The message to send through a stored webhook.',
  { webhook_id: webhookId, payload },
);

const { messageId, message } = ChatWebhookResponse.shape;

const SendMessageResponse = objectSchema('SendMessageResponse', 'The message that was sent.', {
  message,
  message_id: messageId.meta({
    description:
      'The id of the message. To edit the message, send it to `POST /hooks/edit-chat-webhook` as `messageId`.',
  }),
});

/** Discord webhooks for sending messages. They are stored encrypted. */
export const webhooks = defineOwnerEndpoints('webhooks', AUTHENTICATED_DEFAULTS, {
  listWebhooks: {
    method: 'GET',
    summary: 'List the stored webhooks',
    description: 'Returns the stored webhooks with their names, but never their URLs.',
    responses: { 200: ListWebhooksResponse },
    metadata: { listField: 'webhooks', failure: 'The webhooks could not be fetched.' },
  },
  createWebhook: {
    method: 'POST',
    summary: 'Store a webhook',
    description:
      'Stores a Discord webhook under a name. Its URL is encrypted and never returned. With a session, this needs a login within the last 60 minutes.',
    body: CreateWebhookRequest,
    responses: { 200: CreateWebhookResponse },
    metadata: {
      failure: 'The webhook could not be stored.',
      refusals: {
        webhookUrlInvalid: webhookUrlInvalid('webhook_url'),
        ...STORE_WEBHOOK_REFUSALS,
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
  deleteWebhook: {
    method: 'POST',
    summary: 'Delete a stored webhook',
    description:
      'Deletes a stored webhook that no alert uses. The webhook at Discord is not affected.',
    body: DeleteWebhookRequest,
    responses: { 200: SuccessResponse },
    metadata: {
      failure: 'The webhook could not be deleted.',
      destructive: true,
      idempotent: true,
      refusals: {
        ...STORED_WEBHOOK_REFUSALS,
        webhookInUse: forField(
          'webhook_id',
          refusal(
            400,
            'An alert sends its messages through the webhook.',
            'Alerts use this webhook. Delete them or change where they go first.',
          ),
        ),
      },
    },
  },
  sendMessage: {
    method: 'POST',
    summary: 'Send a message through a stored webhook',
    description:
      'Sends a message through a stored webhook, like `POST /hooks/send-chat-webhook` does with a URL.',
    body: SendMessageRequest,
    responses: { 200: SendMessageResponse },
    metadata: {
      untrustedText: true,
      failure:
        'The service itself had trouble, such as updating analytics; the message may not have been sent.',
      refusals: {
        ...MESSAGE_EMPTY_REFUSALS,
        ...STORED_WEBHOOK_REFUSALS,
        ...UNREADABLE_WEBHOOK_REFUSALS,
        ...CHAT_REFUSALS,
        ...EXTERNAL_WRITE_REFUSALS,
      },
      access: 'external',
    },
  },
});
