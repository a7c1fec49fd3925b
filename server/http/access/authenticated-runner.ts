import { hash } from 'node:crypto';
import type { App } from '#server/app.ts';
import { runOnce } from '../contract/idempotency.ts';
import type { HandlerRunner } from '../contract/register-contract.ts';
import { requireCaller } from './caller.ts';

/** Gives handlers the database that their route may use. Writes with a key run once. */
export function createAuthenticatedRunner({
  dailyUsage,
  queues: { reads, writes },
}: Pick<App, 'dailyUsage' | 'queues'>): HandlerRunner {
  return (request, { metadata }, handler) => {
    const caller = requireCaller(request);
    const { accountId } = caller;
    if (metadata.access === 'read')
      return handler({ ...caller, readDb: reads.databaseFor(accountId) });
    const db = writes.databaseFor(accountId);
    const key = request.headers['idempotency-key'];
    if (metadata.access === 'upload' || typeof key !== 'string') return handler({ ...caller, db });
    const idempotencyKey = {
      accountId,
      method: request.method,
      path: request.routeOptions.url ?? '',
      key,
      bodyHash: hash('sha256', JSON.stringify(request.body ?? null), 'buffer'),
    };
    if (metadata.handlesIdempotencyKey) return handler({ ...caller, db, idempotencyKey });
    const callHandler = (executor: typeof db) => handler({ ...caller, db: executor });
    return runOnce({ db, dailyUsage, idempotencyKey, request, metadata, callHandler });
  };
}
