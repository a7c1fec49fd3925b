import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Database, Executor, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { IdempotencyKey } from '#db/queries/idempotency-keys.ts';
import type { Core } from '#server/core.ts';
import { recheckKeeper } from '../access/acting-caller.ts';
import { requireCaller } from '../access/caller.ts';
import { requireRecentLogin } from '../access/recent-login.ts';
import { runOnce } from './idempotency.ts';
import type { ContextOf, HandlerRunner } from './register-contract.ts';

/** Gives handlers the database that their route may use. Writes with a key run once. */
export function createAuthenticatedRunner({
  dailyUsage,
  queues: { reads, writes },
}: Pick<Core, 'dailyUsage' | 'queues'>): HandlerRunner {
  return async (request, { metadata }, handler, body) => {
    const caller = requireCaller(request);
    const { accountId } = caller;
    const { access, recentLogin } = metadata;
    if (access === 'read') {
      const readDb = reads.databaseFor(accountId);
      if (recentLogin) await requireRecentLogin(readDb, caller);
      return handler({ ...caller, readDb });
    }
    const db = writes.databaseFor(accountId);
    const recheck = (handle: Executor) => recheckKeeper(handle, caller, metadata);
    const callHandler = async (handle: Database | Transaction, idempotencyKey?: IdempotencyKey) => {
      if (recentLogin) await requireRecentLogin(handle, caller);
      const context = { ...caller, db: handle, idempotencyKey, recheck };
      if (access !== 'write') await recheck(handle);
      const response = await handler(context as ContextOf['write' | 'upload']);
      if (access === 'write') await recheck(handle);
      return response;
    };
    if (access === 'upload') return callHandler(db);
    const idempotencyKey = findIdempotencyKey(request, accountId, body);
    if (access === 'ownIdempotency') return callHandler(db, idempotencyKey);
    if (idempotencyKey)
      return runOnce({ db, dailyUsage, idempotencyKey, request, metadata, callHandler });
    return access === 'write' ? inTransaction(db, callHandler) : callHandler(db);
  };
}

function findIdempotencyKey(
  { headers, method, routeOptions }: FastifyRequest,
  accountId: string,
  body: unknown,
): IdempotencyKey | undefined {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  const bodyHash = hash('sha256', toCanonicalJson(body ?? null), 'buffer');
  return { accountId, method, path: routeOptions.url ?? '', key, bodyHash };
}

/** Sorts the members of all objects, because their order has no meaning. */
function toCanonicalJson(body: unknown): string {
  return JSON.stringify(body, (_key, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}
