import { z } from 'zod';
import { ChatMessage, EMPTY_MESSAGE_ERROR } from './chat-message.ts';
import { CHAT_REFUSALS } from './chat-refusals.ts';
import { defineEndpoints } from './define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from './endpoint-defaults.ts';
import { field, objectSchema } from './fields.ts';
import { forField, refusal } from './refusal.ts';
import { EXTERNAL_WRITE_REFUSALS } from './request-refusals.ts';
import { messageField, success } from './result-fields.ts';
import { LIMITS } from './shared/limits.ts';
import { limitedText, matchingText } from './text.ts';

const URL_RULE =
  'The webhook URL is required and must be a Discord webhook URL: https, with the path /api/webhooks/ID/TOKEN.';

const webhookUrl = field(
  'webhookUrlInvalid',
  // The URL of another chat is refused before its payload, which has other fields.
  limitedText(LIMITS.url, URL_RULE).refine(
    (url) => /\/api\/(v\d+\/)?webhooks\//.test(url),
    URL_RULE,
  ),
  'The full Discord webhook URL: `https://discord.com/api/webhooks/ID/TOKEN`, also at `discordapp.com`. Its query may have `thread_id`, `with_components` and `wait`, once each; the server always sends `wait=true`.',
  'https://discord.com/api/webhooks/1234567890/your-webhook-token',
);

const payload = field('messageEmpty', ChatMessage);

export const SendChatWebhookRequest = objectSchema('SendChatWebhookRequest', 'A message to send.', {
  webhookUrl,
  payload,
});
export type SendChatWebhookRequest = z.infer<typeof SendChatWebhookRequest>;

export const EditChatWebhookRequest = objectSchema('EditChatWebhookRequest', 'A message to edit.', {
  webhookUrl,
  messageId: field(
    'messageIdInvalid',
    matchingText(
      new RegExp(`^[0-9]{1,${LIMITS.messageId}}$`),
      `The message ID is required and must be 1 to ${LIMITS.messageId} digits.`,
    ).meta({ maxLength: LIMITS.messageId }),
    'The id of the message to edit, as returned by the request that sent it.',
    '1105936272348135426',
  ),
  payload,
});
export type EditChatWebhookRequest = z.infer<typeof EditChatWebhookRequest>;

const ChatWebhookResponse = objectSchema(
  'ChatWebhookResponse',
  'The message that was sent or edited.',
  {
    success,
    message: messageField('The message was sent.'),
    messageId: z.string().meta({
      description: 'The id of the message. Use it as `messageId` to edit the message.',
      pattern: `^[0-9]{1,${LIMITS.messageId}}$`,
      maxLength: LIMITS.messageId,
      examples: ['1105936272348135426'],
    }),
  },
);

/** The schema refuses a missing URL and that of another chat, the server one at another host. */
function webhookUrlInvalid(name: string) {
  return forField(
    name,
    refusal(
      400,
      'The webhook URL is missing or is not a Discord webhook URL at an allowed host, or its query is not valid.',
      'The webhook URL is required and must be a Discord webhook URL at {hosts}: https, with the path /api/webhooks/ID/TOKEN, and no query parameters except a valid thread_id, with_components and wait.',
      { hosts: 'discord.com' },
    ),
  );
}

const refusals = {
  messageEmpty: forField(
    'payload',
    refusal(
      400,
      '`payload` is missing, is not an object, or has neither content nor an embed.',
      EMPTY_MESSAGE_ERROR,
    ),
  ),
  webhookUrlInvalid: webhookUrlInvalid('webhookUrl'),
  ...CHAT_REFUSALS,
  ...EXTERNAL_WRITE_REFUSALS,
};

/** Messages to Discord webhooks. */
export const hooks = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  sendChatWebhook: {
    method: 'POST',
    path: '/hooks/send-chat-webhook',
    summary: 'Send a chat message',
    description:
      'Sends a message through a Discord webhook and returns the message id. If Discord rejects the message, the error quotes Discord.',
    body: SendChatWebhookRequest,
    response: ChatWebhookResponse,
    untrustedFields: 'all',
    failure:
      'The service itself had trouble, such as updating analytics; the message may not have been sent.',
    refusals,
    access: 'noTransaction',
  },
  editChatWebhook: {
    method: 'PATCH',
    path: '/hooks/send-chat-webhook',
    summary: 'Edit a chat message',
    description:
      'Changes a message that was sent through the same webhook: Discord keeps what you leave out, such as its embeds. If Discord rejects the change, the error quotes Discord.',
    body: EditChatWebhookRequest,
    response: ChatWebhookResponse,
    untrustedFields: 'all',
    failure:
      'The service itself had trouble, such as updating analytics; the message may not have been edited.',
    fileExamples: {
      'application/json': {
        value: {
          success: true,
          message: 'The message was edited.',
          messageId: '1105936272348135426',
        },
      },
    },
    idempotent: true,
    refusals,
    access: 'noTransaction',
  },
});
