import type { OperationExamples } from './example.ts';

const messageId = '1105936272348135426';
const webhookUrl = 'https://discord.com/api/webhooks/1105936272348135000/your-webhook-token';

export const hooksExamples = {
  sendChatWebhook: {
    request: {
      name: 'NewChatMessage',
      summary: 'A message with a text and an embed.',
      value: {
        webhookUrl,
        payload: {
          content: 'Hello from Nameplate!',
          embeds: [{ title: 'Release 1.2', description: 'Now with themes.' }],
        },
      },
    },
    answer: {
      name: 'ChatMessageSent',
      summary: 'The message is in the channel.',
      value: { success: true, message: 'The message was sent.', messageId },
    },
  },
  editChatWebhook: {
    request: {
      name: 'EditedChatMessage',
      summary: 'Another text for the same message.',
      value: { webhookUrl, messageId, payload: { content: 'Hello again from Nameplate!' } },
    },
    answer: {
      name: 'ChatMessageEdited',
      summary: 'The message has the new text.',
      value: { success: true, message: 'The message was edited.', messageId },
    },
  },
} satisfies Record<string, OperationExamples>;
