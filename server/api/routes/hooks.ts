import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { contract } from '../../../contract/index.ts';
import type { EventType } from '../../../contract/owner/event-types.ts';
import { completeEvent } from '../../../db/queries/events.ts';
import type { Database } from '../../../db/schema.ts';
import type { Handlers } from '../../http/contract/adapter.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Recorder } from '../../service/chat-relay/chat-platform.ts';
import { logEvent } from '../../service/events/log-event.ts';
import { RefusalError } from '../../service/refusal.ts';
import { parseWebhookUrl, type Webhook } from '../../service/chat-relay/webhook-url.ts';

export function hooksRoutes({
  chatPlatform,
  webhookHosts,
  allowances,
}: Pick<Dependencies, 'chatPlatform' | 'webhookHosts' | 'allowances'>): Handlers<
  typeof contract.hooks
> {
  return {
    sendChatWebhook: async ({ body, refuse, ...input }) => {
      const webhook = parseWebhookUrl(body.webhookUrl, webhookHosts);
      if (!webhook) throw refuse('webhookUrlInvalid');
      const target = { accountId: input.accountId, db: input.db, webhook };
      const messageId = await chatPlatform.send(
        target,
        body.payload,
        recorder(input, { type: 'chat_message_sent', webhook, limit: allowances.events }),
      );
      return { status: 200, body: { success: true, message: 'The message was sent.', messageId } };
    },

    editChatWebhook: async ({ body, refuse, ...input }) => {
      const webhook = parseWebhookUrl(body.webhookUrl, webhookHosts);
      if (!webhook) throw refuse('webhookUrlInvalid');
      const target = { accountId: input.accountId, db: input.db, webhook };
      const messageId = await chatPlatform.edit(
        target,
        body.messageId,
        body.payload,
        recorder(input, { type: 'chat_message_edited', webhook, limit: allowances.events }),
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
  { type, webhook, limit }: { type: EventType; webhook: Webhook; limit: number },
): Recorder {
  const pending = {
    accountId,
    type,
    outcome: 'pending',
    detail: { webhook_id: webhook.id },
  } as const;
  return async (call) => {
    const event = await logEvent(db, pending, limit);
    const complete = async (outcome: 'succeeded' | 'failed', detail: Record<string, unknown>) => {
      try {
        await completeEvent(db, { accountId, id: event }, { outcome, detail });
      } catch (error) {
        log.error({ err: error, event }, 'an event could not be completed');
      }
    };
    try {
      const messageId = await call();
      await complete('succeeded', { message_id: messageId });
      return messageId;
    } catch (error) {
      await complete('failed', { status: error instanceof RefusalError ? error.status : 500 });
      throw error;
    }
  };
}
