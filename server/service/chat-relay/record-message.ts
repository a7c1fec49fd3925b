import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { EventType } from '../../../contract/owner/event-types.ts';
import { completeEvent } from '../../../db/queries/events.ts';
import type { Database } from '../../../db/schema.ts';
import { logEvent } from '../events/log-event.ts';
import { RefusalError } from '../refusal.ts';
import type { Recorder } from './chat-platform.ts';
import type { Webhook } from './webhook-url.ts';

/**
 * Logs the event before the call, without which nothing is sent, and completes it after. A failure
 * to complete it is not the caller's: told of one, they would send again.
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
    /** More about the message, such as the id of its stored webhook, and its beginning. */
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
