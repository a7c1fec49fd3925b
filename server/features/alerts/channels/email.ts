import { ALERT_ADDRESS_REFUSALS } from '#contract/owner/alerts.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { inAccountTransaction } from '#db/queries/accounts.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import type { App } from '#server/app.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { AlertChannel } from './index.ts';

const refuse = createRefuser(ALERT_ADDRESS_REFUSALS);

export const email: AlertChannel = {
  assertTarget: async (trx, { outbox }, { accountId }) => {
    if ((await findAlertAddress(trx, outbox, accountId)) === null)
      throw refuse('alertAddressMissing');
  },

  send: ({ outbox }, { accountId, db }, { message: alert }) =>
    inAccountTransaction(db, accountId, async (trx) => {
      if (!(await outbox.enqueue(trx, { kind: 'alert', accountId, alert })))
        throw refuse('alertAddressMissing');
    }),

  enqueue: (trx, { outbox }, { accountId, message: alert }) =>
    outbox.enqueue(trx, { kind: 'alert', accountId, alert }),
};

/** Returns null if there is no confirmed address or the server cannot send mail. */
export async function findAlertAddress(
  db: ReadDatabase,
  { isAvailable }: Pick<App['outbox'], 'isAvailable'>,
  accountId: string,
): Promise<string | null> {
  return isAvailable ? ((await findOwnerAddress(db, accountId)) ?? null) : null;
}
