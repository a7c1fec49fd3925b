import { type AccountRow, setSuspended } from '#db/queries/accounts.ts';
import { closeAccountReports } from '#db/queries/reports.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { insertEvent } from '#db/queries/events.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
import type { Outbox } from '../mails/outbox.ts';
import type { Forwarding } from '../forwarding/forwarding.ts';
import { requireAccount } from './with-account.ts';

/** Resuming an account does not restore the sessions that the suspension ended. */
export async function setAccountSuspended(
  trx: Transaction,
  forwarding: Forwarding,
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
  // Changes to the display name or to forwarding take this lock, too.
  await lockForwardingSettings(trx, accountRow.account_id);
  const name = await findDisplayName(trx, accountRow.account_id);
  const type = suspended ? 'account_suspended' : 'account_resumed';
  const detail = { by: OPERATOR_ACTOR };
  await insertEvent(trx, {
    accountId: accountRow.account_id,
    type,
    outcome: 'succeeded',
    detail,
  });
  const suspended_at = await setSuspended(trx, accountRow.account_id, { suspended, reason });
  if (suspended) {
    await deleteSessions(trx, accountRow.account_id);
    await deleteLoginLinks(trx, accountRow.account_id);
    await closeAccountReports(trx, accountRow.account_id, {
      outcome: 'suspended',
      closed_by: by,
      closed_reason: reason,
    });
  }
  if (name !== undefined) await forwarding.enqueueSync(trx, name);
  const wasSuspended = accountRow.suspended_at !== null;
  if (wasSuspended !== (suspended_at !== null)) {
    const accountId = accountRow.account_id;
    await outbox?.enqueue(
      trx,
      suspended ? { kind: 'suspension', accountId, reason } : { kind: 'resumption', accountId },
    );
  }
  return { ...accountRow, display_name: name ?? null, suspended_at };
}
