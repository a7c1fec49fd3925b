import { listEvents } from '../../../db/queries/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { AdminContext } from '../context.ts';
import type { adminContract } from '../contract/index.ts';
import { findAccountOrRefuse } from './find-account.ts';

export const eventsRoutes: Handlers<typeof adminContract.events, AdminContext> = {
  listEvents: async ({ query, db }) => {
    const events = await inTransaction(db, async (trx) => {
      const { account_id } = await findAccountOrRefuse(trx, query.account);
      return listEvents(trx, account_id, query.limit);
    });
    return {
      status: 200,
      body: events.map((event) => ({
        ...event,
        created_at: event.created_at.toISOString(),
        completed_at: event.completed_at?.toISOString() ?? null,
      })),
    };
  },
};
