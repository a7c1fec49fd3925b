import type { App } from '#server/app.ts';
import { createIdempotentRunner } from '../contract/idempotency.ts';
import { findRoute, type HandlerRunner } from '../contract/register-contract.ts';
import { requireCaller } from './caller.ts';

/** Gives handlers the database that their route may use. */
export function createAuthenticatedRunner(app: Pick<App, 'dailyUsage' | 'queues'>): HandlerRunner {
  const { reads, writes } = app.queues;
  const runWrite = createIdempotentRunner(app);
  return (request, reply, handler) => {
    const caller = requireCaller(request);
    const access = findRoute(request)?.metadata.access;
    if (access === 'read')
      return handler({ ...caller, readDb: reads.databaseFor(caller.accountId) });
    const db = writes.databaseFor(caller.accountId);
    if (access === 'upload') return handler({ ...caller, db });
    return runWrite(request, reply, db, handler);
  };
}
