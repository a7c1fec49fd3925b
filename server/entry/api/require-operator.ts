import type { FastifyInstance } from 'fastify';
import { isOperator } from '#db/queries/operators.ts';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import { requireCaller } from '#server/platform/http/access/caller.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { Core } from '#server/core.ts';

const refuse = createRefuser(PATH_NOT_FOUND_REFUSALS);

/**
 * Responds with 404 to accounts that are not operators. Queries the database for each request, so
 * that a revocation takes effect at once.
 */
export function requireOperator(server: FastifyInstance, { queues }: Pick<Core, 'queues'>): void {
  server.addHook('onRequest', async (request) => {
    const { accountId, credential } = requireCaller(request);
    if (credential.kind === 'command') return;
    if (!(await isOperator(queues.reads.databaseFor(accountId), accountId)))
      throw refuse('pathNotFound');
  });
}
