import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { logEvent } from '../events/log-event.ts';

/**
 * Resolves to false if the account has no such session. If the session is not the one in `by`, the
 * login links of the account are deleted, too.
 */
export async function endSession(
  trx: Transaction,
  { accountId, sessionId, by }: { accountId: string; sessionId: string; by: string },
  eventLimit: number,
): Promise<boolean> {
  await lockAccount(trx, accountId);
  if (!(await deleteOwnRow(trx, 'sessions', { accountId, id: sessionId }))) return false;
  const isCurrentSession = by === sessionId;
  if (!isCurrentSession) await deleteLoginLinks(trx, accountId);
  const type = isCurrentSession ? 'logged_out' : 'session_ended';
  const detail = { session_id: sessionId, by };
  await logEvent(trx, { accountId, type, detail }, eventLimit);
  return true;
}

export async function endSessions(
  trx: Transaction,
  { accountId, by }: { accountId: string; by: string },
  eventLimit: number,
): Promise<void> {
  await lockAccount(trx, accountId);
  await deleteLoginLinks(trx, accountId);
  const sessions = await deleteSessions(trx, accountId);
  if (sessions === 0) return;
  await logEvent(trx, { accountId, type: 'sessions_ended', detail: { sessions, by } }, eventLimit);
}
