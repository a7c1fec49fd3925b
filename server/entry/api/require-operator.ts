import type { FastifyInstance } from 'fastify';
import { isOperator } from '#db/queries/operators.ts';
import type { Core } from '#server/core.ts';
import { requireCaller } from '#server/platform/http/access/caller.ts';
import { refuseUnknownPath } from '#server/platform/http/responses/unknown-path.ts';

/**
 * Responds with 404 to accounts that are not operators. Queries the database for each request, so
 * that a revocation takes effect at once.
 */
export function requireOperator(server: FastifyInstance, { queues }: Pick<Core, 'queues'>): void {
  server.addHook('onRequest', async (request) => {
    const { accountId, credential } = requireCaller(request);
    if (credential.kind === 'command') return;
    if (!(await isOperator(queues.reads.databaseFor(accountId), accountId)))
      throw refuseUnknownPath(request);
  });
}
