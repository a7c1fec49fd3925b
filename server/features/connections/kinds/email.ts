import { inAccountTransaction } from '#db/queries/accounts.ts';
import type { KindOfConnection } from './connection-kind.ts';

/** Mails the confirmed address. Delivered means handed to the queue of mails. */
export const email: KindOfConnection = {
  send: async ({ db, outbox }, { receiver: { accountId }, message }) => {
    const { project, ...event } = message;
    const isQueued = await inAccountTransaction(db, accountId, (trx) =>
      outbox.enqueue(
        trx,
        project === undefined
          ? { kind: 'event', accountId, event }
          : { kind: 'alert', accountId, alert: { ...event, project } },
      ),
    );
    return isQueued
      ? { outcome: 'delivered' }
      : { outcome: 'failed', error: { code: 'notMailed' } };
  },
};
