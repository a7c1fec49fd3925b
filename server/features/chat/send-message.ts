import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#db/connections/handles.ts';
import { completeEvent } from '#db/queries/events.ts';
import type { Core } from '#server/core.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { storeEvent } from '../events/log-event.ts';
import type { ChatRequest } from './chat-client.ts';
import type { MessageRecorder, ChatService } from './chat-service.ts';

interface MessageSender {
  accountId: string;
  db: Database;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/** Logs an event, sends or edits the message, completes the event, and returns the message id. */
export function sendChatMessage(
  { allowances, chat }: Pick<Core, 'allowances'> & { chat: ChatService },
  { accountId, db, log }: MessageSender,
  request: ChatRequest,
): Promise<string> {
  const pending = {
    accountId,
    type: request.messageId === undefined ? 'chat_message_sent' : 'chat_message_edited',
    outcome: 'pending',
    detail: { platform_id: request.webhook.id },
  } as const;
  const recordEvent: MessageRecorder = async (call) => {
    const eventId = await storeEvent(db, { allowances }, pending);
    const complete = async (outcome: 'succeeded' | 'failed', result: Record<string, unknown>) => {
      try {
        await completeEvent(db, { accountId, id: eventId }, { outcome, detail: result });
      } catch (error) {
        // Do not throw: the caller would send the message again.
        log.error({ err: error, event: eventId }, 'an event could not be completed');
      }
    };
    try {
      const message_id = await call();
      await complete('succeeded', { message_id });
      return message_id;
    } catch (error) {
      const { status, code } = error instanceof RefusalError ? error : { status: 500 };
      await complete('failed', { status, code });
      throw error;
    }
  };
  return chat.deliver({ accountId, db }, request, recordEvent);
}
