import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { EventType } from '#contract/owner/event-types.ts';
import { completeEvent } from '#db/queries/events.ts';
import type { Database } from '#db/schema.ts';
import { logEvent } from '../events/log-event.ts';
import { RefusalError } from '#server/refusal.ts';
import type { MessageRecorder } from './chat-service.ts';
import type { Webhook } from './chat-client.ts';
import type { ChatMessage } from '#contract/chat-message.ts';

const MAX_EXCERPT_LENGTH = 100;

export function createMessageRecorder(
  {
    accountId,
    db,
    log,
  }: { accountId: string; db: Kysely<Database>; log: Pick<FastifyBaseLogger, 'error'> },
  {
    type,
    webhook,
    detail,
    eventLimit,
  }: {
    type: EventType;
    webhook: Webhook;
    detail?: Record<string, unknown>;
    eventLimit: number;
  },
): MessageRecorder {
  const pending = {
    accountId,
    type,
    outcome: 'pending',
    detail: { platform_id: webhook.id, ...detail },
  } as const;
  return async (call) => {
    const eventId = await logEvent(db, pending, eventLimit);
    const complete = async (outcome: 'succeeded' | 'failed', result: Record<string, unknown>) => {
      try {
        await completeEvent(db, { accountId, id: eventId }, { outcome, detail: result });
      } catch (error) {
        // Do not throw: the caller would send the message again.
        log.error({ err: error, event: eventId }, 'an event could not be completed');
      }
    };
    try {
      const messageId = await call();
      await complete('succeeded', { message_id: messageId });
      return messageId;
    } catch (error) {
      const { status, code } = error instanceof RefusalError ? error : { status: 500 };
      await complete('failed', { status, code });
      throw error;
    }
  };
}

/** A line of at most 100 code points for the list of events. */
export function messageExcerpt({ content, embeds }: ChatMessage): string {
  const [embed] = embeds ?? [];
  const text =
    [content, embed?.title, embed?.description].find((candidate) => candidate?.trim()) ?? '';
  // PostgreSQL cannot store NUL or an unpaired surrogate.
  const line = text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return [...line].slice(0, MAX_EXCERPT_LENGTH).join('');
}
