import { hash } from 'node:crypto';
import type { Access } from '#contract/define-endpoints.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import type { IdempotencyKey } from '#db/queries/idempotency-keys.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { runOnce } from './idempotency.ts';
import type { ContextOf, HandlerRunner } from './register-contract.ts';
import { requireCaller } from '../access/caller.ts';
import { requireRecentLogin } from '../access/recent-login.ts';
import type { Core } from '#server/core.ts';

/** Gives handlers the database that their route may use. Writes with a key run once. */
export function createAuthenticatedRunner({
  dailyUsage,
  queues: { reads, writes },
}: Pick<Core, 'dailyUsage' | 'queues'>): HandlerRunner {
  return async (request, { metadata }, handler, body) => {
    const caller = requireCaller(request);
    const { accountId } = caller;
    const { access } = metadata;
    const callHandler = async (handle: ReadDatabase, own?: { idempotencyKey: IdempotencyKey }) => {
      if (metadata.recentLogin) await requireRecentLogin(handle, caller);
      const handleName = access === 'read' ? 'readDb' : 'db';
      return handler({ ...caller, [handleName]: handle, ...own } as ContextOf[Access]);
    };
    if (access === 'read') return callHandler(reads.databaseFor(accountId));
    const db = writes.databaseFor(accountId);
    const key = request.headers['idempotency-key'];
    if (access === 'upload' || typeof key !== 'string')
      return access === 'write' ? inTransaction(db, callHandler) : callHandler(db);
    const idempotencyKey = {
      accountId,
      method: request.method,
      path: request.routeOptions.url ?? '',
      key,
      bodyHash: hash('sha256', toCanonicalJson(body ?? null), 'buffer'),
    };
    if (access === 'ownIdempotency') return callHandler(db, { idempotencyKey });
    return runOnce({ db, dailyUsage, idempotencyKey, request, metadata, callHandler });
  };
}

/** Sorts the members of all objects, because their order has no meaning. */
function toCanonicalJson(body: unknown): string {
  return JSON.stringify(body, (_key, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}
