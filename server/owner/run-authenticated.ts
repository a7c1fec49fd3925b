import { findRoute, type Runner } from '../http/contract/adapter.ts';
import { callerOf } from '../http/access/caller.ts';
import { runOnce, takesKey } from '../http/contract/idempotency.ts';
import type { Authentication } from '../service/sessions/authentication.ts';

/**
 * Runs handlers as the API does. After a write, and before its answer, this server forgets the keys and
 * sessions of the account: one that the write ended is refused from the answer on, also if the next
 * request came in the same packet. Other servers hear of it from the database, some milliseconds later.
 */
export function runAuthenticated(
  dependencies: Parameters<typeof runOnce>[0] & { authentication: Authentication },
): Runner {
  const run = runOnce(dependencies);
  return async (request, reply, handle) => {
    try {
      return await run(request, reply, handle);
    } finally {
      if (takesKey(findRoute(request)))
        dependencies.authentication.forget({ kind: 'account', id: callerOf(request).accountId });
    }
  };
}
