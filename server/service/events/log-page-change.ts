import type { Transaction } from 'kysely';
import { hasRecentEvent } from '../../../db/queries/events.ts';
import type { Database } from '../../../db/schema.ts';
import { logEvent } from './log-event.ts';

/** Logs that the page was changed, once in ten minutes by the same key or session: who edits saves often. */
export async function logPageChange(
  trx: Transaction<Database>,
  { accountId, by }: { accountId: string; by: string },
  eventLimit: number,
): Promise<void> {
  const event = { accountId, type: 'page_changed', detail: { by } } as const;
  if (await hasRecentEvent(trx, event)) return;
  await logEvent(trx, event, eventLimit);
}
