import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { contract } from '../../../contract/index.ts';
import { WEBHOOK_URL } from '../../../contract/hooks.ts';
import { completeEvent, type EventType, insertEvent } from '../../../db/queries/events.ts';
import type { Database } from '../../../db/schema.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Recorder } from '../../service/chat-relay/chat-platform.ts';
import { RequestError } from '../../service/request-error.ts';
import { parseWebhookUrl, type Webhook } from '../../service/chat-relay/webhook-url.ts';

/** Specification, endpoints 10 and 11. */
export function hooksRoutes({
  chatPlatform,
  webhookHosts,
}: Pick<Dependencies, 'chatPlatform' | 'webhookHosts'>): Handlers<typeof contract.hooks> {
  function readWebhook(url: string): Webhook {
    const webhook = parseWebhookUrl(url, webhookHosts);
    if (!webhook) throw new RequestError(400, WEBHOOK_URL);
    return webhook;
  }

  return {
    sendChatWebhook: async ({ body, ...input }) => {
      const webhook = readWebhook(body.webhookUrl);
      const target = { accountId: input.accountId, webhook };
      const messageId = await chatPlatform.send(
        target,
        body.payload,
        recorder(input, 'chat_message_sent', webhook),
      );
      return { status: 200, body: { success: true, message: 'The message was sent.', messageId } };
    },

    editChatWebhook: async ({ body, ...input }) => {
      const webhook = readWebhook(body.webhookUrl);
      const target = { accountId: input.accountId, webhook };
      const messageId = await chatPlatform.edit(
        target,
        body.messageId,
        body.payload,
        recorder(input, 'chat_message_edited', webhook),
      );
      return {
        status: 200,
        body: { success: true, message: 'The message was edited.', messageId },
      };
    },
  };
}

/**
 * Logs the event before the call, without which nothing is sent, and completes it after. A failure
 * to complete it is not the caller's: told of one, they would send again.
 */
function recorder(
  { accountId, db, log }: { accountId: string; db: Kysely<Database>; log: FastifyBaseLogger },
  type: EventType,
  webhook: Webhook,
): Recorder {
  return async (call) => {
    const event = await insertEvent(db, {
      accountId,
      type,
      outcome: 'pending',
      detail: { webhook_id: webhook.id },
    });
    const complete = async (outcome: 'succeeded' | 'failed', detail: Record<string, unknown>) => {
      try {
        await completeEvent(db, event, outcome, detail);
      } catch (error) {
        log.error({ err: error, event }, 'an event could not be completed');
      }
    };
    try {
      const messageId = await call();
      await complete('succeeded', { message_id: messageId });
      return messageId;
    } catch (error) {
      await complete('failed', { status: error instanceof RequestError ? error.status : 500 });
      throw error;
    }
  };
}
