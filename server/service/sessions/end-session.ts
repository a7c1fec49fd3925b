import type { Kysely } from 'kysely';
import { deleteSession, deleteSessions } from '../../../db/queries/sessions.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { logEvent } from '../events/log-event.ts';

/** Ends a session of an account, on all servers at once; false if it has none of the id. */
export function endSession(
  db: Kysely<Database>,
  { accountId, sessionId, by }: { accountId: string; sessionId: string; by: string },
  mostEvents: number,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    if (!(await deleteSession(trx, accountId, sessionId))) return false;
    const type = by === sessionId ? 'logged_out' : 'session_ended';
    const detail = { session_id: sessionId, by };
    await logEvent(trx, { accountId, type, detail }, mostEvents);
    return true;
  });
}

/** Ends all sessions of an account, on all servers at once. */
export function endSessions(
  db: Kysely<Database>,
  { accountId, by }: { accountId: string; by: string },
  mostEvents: number,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const sessions = await deleteSessions(trx, accountId);
    if (sessions === 0) return;
    await logEvent(
      trx,
      { accountId, type: 'sessions_ended', detail: { sessions, by } },
      mostEvents,
    );
  });
}
