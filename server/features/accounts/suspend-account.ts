import type { Kysely } from 'kysely';
import { type AccountRow, setSuspended } from '#db/queries/accounts.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { insertEvent } from '#db/queries/events.ts';
import { deleteLoginLinks } from '#db/queries/sessions/login-links.ts';
import { lockForwardingSettings } from '#db/queries/forwarding/forwarding-settings.ts';
import { deleteSessions } from '#db/queries/sessions/sessions.ts';
import type { Database } from '#db/schema.ts';
import { OPERATOR } from '#server/caller.ts';
import type { Forwarding } from '../forwarding/forwarding.ts';
import { withAccount } from './with-account.ts';

/**
 * Suspends an account, whose keys are then refused, whose sessions end and whose mail stops, or with
 * `suspended: false` ends that: all is again as its owner left it, but for the sessions.
 */
export function suspendAccount(
  db: Kysely<Database>,
  forwarding: Forwarding,
  {
    account,
    suspended,
    reason = null,
  }: {
    account: string;
    suspended: boolean;
    /** Reason for operators. */
    reason?: string | null | undefined;
  },
): Promise<AccountRow> {
  return withAccount(db, account, async (trx, found) => {
    // As every change of the name or of forwarding does.
    await lockForwardingSettings(trx, found.account_id);
    const name = await findDisplayName(trx, found.account_id);
    const type = suspended ? 'account_suspended' : 'account_resumed';
    const detail = { by: OPERATOR };
    await insertEvent(trx, { accountId: found.account_id, type, outcome: 'succeeded', detail });
    const suspended_at = await setSuspended(trx, found.account_id, { suspended, reason });
    if (suspended) {
      await deleteSessions(trx, found.account_id);
      await deleteLoginLinks(trx, found.account_id);
    }
    if (name !== undefined) await forwarding.queue(trx, name);
    return { ...found, display_name: name ?? null, suspended_at };
  });
}
