import type { Transaction } from '#db/connections/handles.ts';
import { endSuspension, findSuspension, lockAccount, setSuspended } from '#db/queries/accounts.ts';
import { listWaitingConnections } from '#db/queries/connections.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { cancelMails } from '#db/queries/jobs.ts';
import { lockWithKept } from '#db/queries/kept-locks.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { findPageSuspensionReason, setPageSuspended } from '#db/queries/public-sites.ts';
import { closeAccountReports } from '#db/queries/reports.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import { findPageVisibility } from '#db/queries/sites.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
import type { Outbox } from '#server/platform/mail/outbox.ts';
import { queueDeliveries } from '../events/delivery-queue.ts';
import { type EventApp, logEvent, logServerEvent, storeEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import { resumptionMail, suspensionMail } from './suspension-mail.ts';

/** The dashboard offers to undo a suspension for a shorter time. */
const UNDO_MS = 20_000;

interface Suspension {
  accountId: string;
  reason: string | null;
}

type SuspensionApp = EventApp & { outbox: Outbox; react: React };

/**
 * If the account is suspended already, only the reason changes. Its sessions end either way. Without
 * `closesReports`, reports stay open, because nobody has read them.
 */
export async function suspendAccount(
  trx: Transaction,
  app: SuspensionApp,
  { accountId, reason, closesReports = true }: Suspension & { closesReports?: boolean },
): Promise<void> {
  await lockWithKept(trx, accountId);
  await lockAccount(trx, accountId);
  const wasSuspended = (await findSuspension(trx, accountId)) !== undefined;
  await setSuspended(trx, accountId, reason);
  await deleteSessions(trx, accountId);
  await app.react(trx, 'sessionsEnded', { accountId, everywhere: true });
  await deleteLoginLinks(trx, accountId);
  if (closesReports) await closeAccountReports(trx, accountId, 'suspended');
  await app.react(trx, 'accountSuspended', { accountId });
  if (wasSuspended) return;
  const detail = { by: OPERATOR_ACTOR };
  await storeEvent(trx, app, { accountId, type: 'account_suspended', detail });
  const display_name = (await findDisplayName(trx, accountId)) ?? null;
  await logServerEvent(trx, app, 'member_suspended', { account_id: accountId, display_name });
  await mailSuspension(trx, app.outbox, { accountId, reason, pageOnly: false });
}

/**
 * If only the page is suspended, resumes that. A page that its owner had hidden stays hidden, and the
 * sessions that ended are not restored. An account that is being deleted stays suspended.
 */
export async function resumeAccount(
  trx: Transaction,
  app: SuspensionApp,
  accountId: string,
): Promise<void> {
  await lockAccount(trx, accountId);
  if (!(await findSuspension(trx, accountId))) return resumePage(trx, app, accountId);
  if (!(await endSuspension(trx, accountId))) return;
  await storeEvent(trx, app, {
    accountId,
    type: 'account_resumed',
    detail: { by: OPERATOR_ACTOR },
  });
  await queueDeliveries(trx, app.jobs, await listWaitingConnections(trx, accountId));
  await app.react(trx, 'accountSuspended', { accountId });
  await mailResumption(trx, app.outbox, { accountId, pageOnly: false });
}

async function resumePage(trx: Transaction, app: SuspensionApp, accountId: string): Promise<void> {
  if ((await findPageSuspensionReason(trx, accountId)) === null) return;
  await setPageSuspended(trx, accountId, null);
  await logVisibility(trx, app, accountId, true);
  await mailResumption(trx, app.outbox, { accountId, pageOnly: true });
}

/** Hides only the page. Its owner sees it as hidden and cannot publish it. */
export async function suspendPage(
  trx: Transaction,
  app: EventApp & { outbox: Outbox },
  { accountId, reason }: Suspension & { reason: string },
): Promise<void> {
  await lockAccount(trx, accountId);
  const wasSuspended = (await findPageSuspensionReason(trx, accountId)) !== null;
  await setPageSuspended(trx, accountId, reason);
  await closeAccountReports(trx, accountId, 'hidden');
  if (wasSuspended) return;
  await logVisibility(trx, app, accountId, false);
  await mailSuspension(trx, app.outbox, { accountId, reason, pageOnly: true });
}

/** A page that its owner had hidden was and stays hidden, which is no event. */
async function logVisibility(
  trx: Transaction,
  app: EventApp,
  accountId: string,
  isShown: boolean,
): Promise<void> {
  const visibility = await findPageVisibility(trx, accountId);
  if (visibility === 'hidden') return;
  const enabled = isShown && visibility === 'public';
  const members = isShown && visibility === 'members' ? true : undefined;
  const detail = { enabled, members, by: OPERATOR_ACTOR };
  await logEvent(trx, app, { accountId, type: 'page_visibility_changed', detail });
}

/** The mail waits, so that undoing the suspension cancels it. */
async function mailSuspension(
  trx: Transaction,
  outbox: Outbox,
  mail: { accountId: string; reason: string | null; pageOnly: boolean },
): Promise<void> {
  const startAt = new Date(Date.now() + UNDO_MS);
  await outbox.mailOwner(trx, suspensionMail, mail, { startAt });
}

/** An operator who undoes a suspension in time cancels its mail instead. */
async function mailResumption(
  trx: Transaction,
  outbox: Outbox,
  { accountId, pageOnly }: { accountId: string; pageOnly: boolean },
): Promise<void> {
  if (await cancelMails(trx, accountId, { kind: 'suspension', pageOnly })) return;
  await outbox.mailOwner(trx, resumptionMail, { accountId, pageOnly });
}
