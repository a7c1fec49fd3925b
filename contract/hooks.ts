import { z } from 'zod';
import { defineEndpoints } from './define-endpoints.ts';
import { ChatMessage, EMPTY_MESSAGE_ERROR } from './chat-message.ts';
import { CHAT_REFUSALS } from './chat-refusals.ts';
import { LIMITS } from './limits.ts';
import { messageField, success } from './result-fields.ts';
import { invalidField } from './refusal.ts';
import { EXACT_INTEGER_REFUSALS, EXTERNAL_WRITE_REFUSALS } from './request-refusals.ts';
import { AUTHENTICATED_DEFAULTS } from './endpoint-defaults.ts';
import { limitedText } from './text.ts';

/** The 400 of a webhook URL that cannot be called. */
export const WEBHOOK_URL_MESSAGE =
  "The webhook URL is required and must be one of the chat platform's.";

const MESSAGE_ID = `The message ID is required and must be 1 to ${LIMITS.messageId} digits.`;

/** The URL of a webhook, as it is sent. */
export const webhookUrl = limitedText(LIMITS.url, WEBHOOK_URL_MESSAGE).meta({
  description:
    "The full webhook URL: https, on one of the chat platform's two domains. A numeric `thread_id` is kept; the rest of the query is dropped.",
  examples: ['https://discord.com/api/webhooks/1234567890/your-webhook-token'],
});

export const SendChatWebhookRequest = z
  .object({ webhookUrl, payload: ChatMessage })
  .meta({ id: 'SendChatWebhookRequest', description: 'A message to send.' });
export type SendChatWebhookRequest = z.infer<typeof SendChatWebhookRequest>;

export const EditChatWebhookRequest = z
  .object({
    webhookUrl,
    messageId: z
      .string(MESSAGE_ID)
      .regex(new RegExp(`^[0-9]{1,${LIMITS.messageId}}$`), MESSAGE_ID)
      .meta({
        maxLength: LIMITS.messageId,
        description: 'The id of the message to edit, as returned when it was sent.',
        examples: ['1105936272348135426'],
      }),
    payload: ChatMessage,
  })
  .meta({ id: 'EditChatWebhookRequest', description: 'A message to edit.' });
export type EditChatWebhookRequest = z.infer<typeof EditChatWebhookRequest>;

export const ChatWebhookResponse = z
  .object({
    success,
    message: messageField('The message was sent.'),
    messageId: z.string().meta({
      description: 'The id of the message. Send it as messageId to edit the message.',
      pattern: `^[0-9]{1,${LIMITS.messageId}}$`,
      maxLength: LIMITS.messageId,
      examples: ['1105936272348135426'],
    }),
  })
  .meta({ id: 'ChatWebhookResponse', description: 'The message that was sent or edited.' });

const refusals = {
  webhookUrlInvalid: invalidField(
    'webhookUrl',
    'The webhook URL is missing or is not one of the chat platform.',
    WEBHOOK_URL_MESSAGE,
  ),
  messageEmpty: invalidField(
    'payload',
    'The message has neither content nor an embed.',
    EMPTY_MESSAGE_ERROR,
  ),
  ...CHAT_REFUSALS,
  ...EXACT_INTEGER_REFUSALS,
  ...EXTERNAL_WRITE_REFUSALS,
};

/** The relay to the chat platform's webhooks. */
export const hooks = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  sendChatWebhook: {
    method: 'POST',
    path: '/hooks/send-chat-webhook',
    summary: 'Send a chat message',
    description:
      "Sends a message through a chat platform's webhook and returns its id. What the platform refuses gets 400 with the platform's message.",
    body: SendChatWebhookRequest,
    responses: { 200: ChatWebhookResponse },
    metadata: {
      failure:
        'The service itself had trouble, such as updating analytics; the message may not have been sent.',
      refusals,
      external: true,
      exact: 'payload',
    },
  },
  editChatWebhook: {
    method: 'PATCH',
    path: '/hooks/send-chat-webhook',
    summary: 'Edit a chat message',
    description:
      "Replaces a message that was sent through the same webhook. What the platform refuses gets 400 with the platform's message.",
    body: EditChatWebhookRequest,
    responses: { 200: ChatWebhookResponse },
    metadata: {
      failure:
        'The service itself had trouble, such as updating analytics; the message may not have been edited.',
      idempotent: true,
      refusals: {
        ...refusals,
        messageIdInvalid: invalidField('messageId', 'No message was named.', MESSAGE_ID),
      },
      external: true,
      exact: 'payload',
    },
  },
});
