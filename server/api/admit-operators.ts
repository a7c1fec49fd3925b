import type { FastifyInstance } from 'fastify';
import { isOperator } from '#db/queries/operators.ts';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import { callerOf } from '../http/access/caller.ts';
import { refuserOf } from '../refusal.ts';
import type { DatabaseQueues } from '../limits/database-queues.ts';

const refuse = refuserOf(PATH_NOT_FOUND_REFUSALS);

/**
 * Lets only operators call the endpoints of a scope, before a body is read. For everybody else there is
 * nothing at these paths. The rights are looked up each time, so they end at once.
 */
export function admitOperators(
  scope: FastifyInstance,
  { queues }: { queues: DatabaseQueues },
): void {
  scope.addHook('onRequest', async (request) => {
    const { accountId } = callerOf(request);
    if (!(await isOperator(queues.reads.of(accountId), accountId))) throw refuse('pathNotFound');
  });
}
