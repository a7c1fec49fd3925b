import type { FastifyBaseLogger } from 'fastify';
import { completeEvent } from '#db/queries/events.ts';
import type { Database } from '#db/connections/handles.ts';
import { storeEvent } from '../events/log-event.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import type { MessageRecorder, ChatService } from './chat-service.ts';
import type { ChatRequest } from './chat-client.ts';
import type { ChatMessage } from '#contract/chat-message.ts';
import { safeLine } from '#contract/safe-line.ts';
import type { Core } from '#server/core.ts';

const MAX_EXCERPT_LENGTH = 100;

export interface MessageSender {
  accountId: string;
  db: Database;
  log: Pick<FastifyBaseLogger, 'error'>;
}

export interface OutgoingMessage extends ChatRequest {
  /** Added to the event's detail, which also has Discord's id of the webhook. */
  detail?: Record<string, unknown>;
}

/** Logs an event, sends or edits the message, completes the event, and returns the message id. */
export function sendChatMessage(
  { allowances, chat }: Pick<Core, 'allowances'> & { chat: ChatService },
  { accountId, db, log }: MessageSender,
  { detail, ...request }: OutgoingMessage,
): Promise<string> {
  const pending = {
    accountId,
    type: request.messageId === undefined ? 'chat_message_sent' : 'chat_message_edited',
    outcome: 'pending',
    detail: { platform_id: request.webhook.id, ...detail },
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

/** A line of at most 100 code points for the list of events. */
export function messageExcerpt({ content, embeds }: ChatMessage): string {
  const [embed] = embeds ?? [];
  const text =
    [content, embed?.title, embed?.description].find((candidate) => candidate?.trim()) ?? '';
  return safeLine(text, MAX_EXCERPT_LENGTH);
}
