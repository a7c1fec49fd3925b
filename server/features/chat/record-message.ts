import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { EventType } from '#contract/owner/event-types.ts';
import { completeEvent } from '#db/queries/events.ts';
import type { Database } from '#db/schema.ts';
import { logEvent } from '../events/log-event.ts';
import { RefusalError } from '#server/refusal.ts';
import type { Recorder } from './chat-platform.ts';
import type { Webhook } from './platform-client.ts';
import type { ChatMessage } from '#contract/chat-message.ts';

const MAX_EXCERPT_LENGTH = 100;

/**
 * Logs the event before the call and completes it afterwards. A failure to complete the event is only
 * logged, because the caller would send the message again.
 */
export function recordMessage(
  {
    accountId,
    db,
    log,
  }: { accountId: string; db: Kysely<Database>; log: Pick<FastifyBaseLogger, 'error'> },
  {
    type,
    webhook,
    detail,
    limit,
  }: {
    type: EventType;
    webhook: Webhook;
    /** Such as the id of the stored webhook and an excerpt. */
    detail?: Record<string, unknown>;
    limit: number;
  },
): Recorder {
  const pending = {
    accountId,
    type,
    outcome: 'pending',
    detail: { webhook_id: webhook.id, ...detail },
  } as const;
  return async (call) => {
    const event = await logEvent(db, pending, limit);
    const complete = async (outcome: 'succeeded' | 'failed', more: Record<string, unknown>) => {
      try {
        await completeEvent(db, { accountId, id: event }, { outcome, detail: more });
      } catch (error) {
        log.error({ err: error, event }, 'an event could not be completed');
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

/** The beginning of a message on one line, at most 100 code points, for the list of events. */
export function excerptOf({ content, embeds }: ChatMessage): string {
  const [embed] = embeds ?? [];
  const text = [content, embed?.title, embed?.description].find((part) => part?.trim()) ?? '';
  // PostgreSQL stores neither NUL nor half a surrogate pair.
  const line = text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return [...line].slice(0, MAX_EXCERPT_LENGTH).join('');
}
