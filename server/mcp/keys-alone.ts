import type { FastifyInstance } from 'fastify';
import { refuseOtherSites } from '../http/access/same-origin.ts';

/**
 * Accepts keys only, because a browser sends the cookie of a session by itself. Requests of pages of other
 * origins are refused even with a key: a name of theirs may lead to this server.
 */
export function takeKeysAlone(scope: FastifyInstance, publicUrl: string | undefined): void {
  const siteProblem = refuseOtherSites(scope, publicUrl);
  scope.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    delete headers.cookie;
    done(headers.origin === undefined ? undefined : siteProblem(request));
  });
}
