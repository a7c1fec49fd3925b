import { inAccountTransaction } from '#db/queries/accounts.ts';
import { alertMail, eventMail } from '../connection-mails.ts';
import type { KindOfConnection } from './connection-kind.ts';

/** Mails the confirmed address. Delivered means handed to the queue of mails. */
export const email: KindOfConnection = {
  send: async ({ db, outbox }, { receiver: { accountId }, message: { alert, text, url } }) => {
    const isQueued = await inAccountTransaction(db, accountId, (trx) =>
      alert
        ? outbox.mailOwner(trx, alertMail, { accountId, alert })
        : outbox.mailOwner(trx, eventMail, { accountId, event: { text, url } }),
    );
    return isQueued
      ? { outcome: 'delivered' }
      : { outcome: 'failed', error: { code: 'notMailed' } };
  },
};
