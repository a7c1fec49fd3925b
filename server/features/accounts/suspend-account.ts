import { type AccountRow, lockAccount, setSuspended } from '#db/queries/accounts.ts';
import { closeAccountReports } from '#db/queries/reports.ts';
import { cancelMails } from '#db/queries/jobs.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { listWaitingConnections } from '#db/queries/connections.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import { findPageSuspensionReason, setPageSuspended } from '#db/queries/public-sites.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
import { queueRuns } from '../events/delivery-queue.ts';
import { type EventApp, logEvent, logServerEvent, storeEvent } from '../events/log-event.ts';
import { enqueueAccountSync, type ForwardingService } from '../forwarding/forwarding.ts';
import type { Outbox } from '#server/platform/mail/outbox.ts';
import { requireAccount } from './require-account.ts';
import { resumptionMail, suspensionMail } from './suspension-mail.ts';

/** The dashboard offers to undo a suspension for a shorter time. */
const UNDO_MS = 20_000;

/**
 * Resuming an account that is not suspended shows its page again: a page that was hidden before the
 * account was suspended stays hidden. The sessions that ended are not restored.
 */
export async function setAccountSuspended(
  trx: Transaction,
  app: EventApp & { forwarding: ForwardingService },
  {
    account,
    suspended,
    reason = null,
    by = null,
    outbox,
  }: {
    account: string;
    suspended: boolean;
    reason?: string | null | undefined;
    /** Display name of the operator. */
    by?: string | null | undefined;
    /** Mails the member about a change. */
    outbox?: Outbox;
  },
): Promise<AccountRow> {
  const accountRow = await requireAccount(trx, account);
  const { account_id: accountId } = accountRow;
  // Changes to the display name or to forwarding take this lock, too.
  await lockForwardingSettings(trx, accountId);
  const name = await findDisplayName(trx, accountId);
  const wasSuspended = accountRow.suspended_at !== null;
  const pageOnly =
    !suspended && !wasSuspended && (await findPageSuspensionReason(trx, accountId)) !== null;
  if (pageOnly) await setPageSuspended(trx, accountId, null);
  if (pageOnly) await logVisibility(trx, app, accountId, true);
  else if (suspended !== wasSuspended) {
    const type = suspended ? 'account_suspended' : 'account_resumed';
    await storeEvent(trx, app, { accountId, type, detail: { by: OPERATOR_ACTOR } });
  }
  const suspended_at = await setSuspended(trx, accountId, { suspended, reason });
  if (suspended) {
    await deleteSessions(trx, accountId);
    await deleteLoginLinks(trx, accountId);
    const closed = { outcome: 'suspended', closed_by: by, closed_reason: reason } as const;
    await closeAccountReports(trx, accountId, closed);
  }
  if (suspended && !wasSuspended) {
    const member = { account_id: accountId, display_name: name ?? null };
    await logServerEvent(trx, app, 'member_suspended', member);
  }
  if (!suspended) await queueRuns(trx, app.jobs, await listWaitingConnections(trx, accountId));
  await enqueueAccountSync(trx, app.forwarding, accountId);
  const row = { ...accountRow, display_name: name ?? null, suspended_at };
  if (!outbox || !(pageOnly || wasSuspended !== (suspended_at !== null))) return row;
  if (suspended) await mailSuspension(trx, outbox, { accountId, reason, pageOnly });
  else if (!(await cancelMails(trx, accountId, { kind: 'suspension', pageOnly })))
    await outbox.mailOwner(trx, resumptionMail, { accountId, pageOnly });
  return row;
}

/** Hides only the page. Its owner sees it as hidden and cannot publish it. */
export async function suspendPage(
  trx: Transaction,
  app: EventApp & { outbox: Outbox },
  { accountId, reason, by }: { accountId: string; reason: string; by: string | null },
): Promise<void> {
  await lockAccount(trx, accountId);
  const wasSuspended = (await findPageSuspensionReason(trx, accountId)) !== null;
  await setPageSuspended(trx, accountId, reason);
  await closeAccountReports(trx, accountId, {
    outcome: 'hidden',
    closed_by: by,
    closed_reason: reason,
  });
  if (wasSuspended) return;
  await logVisibility(trx, app, accountId, false);
  await mailSuspension(trx, app.outbox, { accountId, reason, pageOnly: true });
}

async function logVisibility(
  trx: Transaction,
  app: EventApp,
  accountId: string,
  enabled: boolean,
): Promise<void> {
  const detail = { enabled, by: OPERATOR_ACTOR };
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
