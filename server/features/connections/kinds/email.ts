import { inAccountTransaction } from '#db/queries/accounts.ts';
import type { KindOfConnection } from './connection-kind.ts';

/** Mails the confirmed address. Delivered means handed to the queue of mails. */
export const email: KindOfConnection = {
  send: async ({ db, outbox }, { receiver: { accountId }, message: { alert, text, url } }) => {
    const mail = alert
      ? ({ kind: 'alert', accountId, alert } as const)
      : ({ kind: 'event', accountId, event: { text, url } } as const);
    const isQueued = await inAccountTransaction(db, accountId, (trx) => outbox.enqueue(trx, mail));
    return isQueued
      ? { outcome: 'delivered' }
      : { outcome: 'failed', error: { code: 'notMailed' } };
  },
};
