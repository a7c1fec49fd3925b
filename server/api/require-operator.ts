import type { FastifyInstance } from 'fastify';
import { isOperator } from '#db/queries/operators.ts';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import { callerOf } from '../http/access/caller.ts';
import { createRefuser } from '../refusal.ts';
import type { DatabaseQueues } from '../limits/database-queues.ts';

const refuse = createRefuser(PATH_NOT_FOUND_REFUSALS);

/** Returns 404 to other accounts. Checks the database for each request, so revoked rights end at once. */
export function requireOperator(
  scope: FastifyInstance,
  { queues }: { queues: DatabaseQueues },
): void {
  scope.addHook('onRequest', async (request) => {
    const { accountId } = callerOf(request);
    if (!(await isOperator(queues.reads.databaseFor(accountId), accountId)))
      throw refuse('pathNotFound');
  });
}
