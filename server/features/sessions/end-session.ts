import type { Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import type { Core } from '#server/core.ts';
import { storeEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';

type SessionApp = Pick<Core, 'allowances'> & { react: React };

/**
 * Resolves to false if the account has no such session. If the session is not the one in `by`, the
 * login links of the account are deleted, too.
 */
export async function revokeSession(
  trx: Transaction,
  app: SessionApp,
  { accountId, sessionId, by }: { accountId: string; sessionId: string; by: string },
): Promise<boolean> {
  await lockAccount(trx, accountId);
  if (!(await deleteOwnRow(trx, 'sessions', { accountId, id: sessionId }))) return false;
  await app.react(trx, 'sessionsEnded', { accountId, everywhere: false });
  const isCurrentSession = by === sessionId;
  if (!isCurrentSession) await deleteLoginLinks(trx, accountId);
  const type = isCurrentSession ? 'logged_out' : 'session_ended';
  const detail = { session_id: sessionId, by };
  await storeEvent(trx, app, { accountId, type, detail });
  return true;
}

export async function endSessions(
  trx: Transaction,
  app: SessionApp,
  { accountId, by }: { accountId: string; by: string },
): Promise<void> {
  await lockAccount(trx, accountId);
  await deleteLoginLinks(trx, accountId);
  const sessions = await deleteSessions(trx, accountId);
  await app.react(trx, 'sessionsEnded', { accountId, everywhere: true });
  if (sessions === 0) return;
  await storeEvent(trx, app, { accountId, type: 'sessions_ended', detail: { sessions, by } });
}
