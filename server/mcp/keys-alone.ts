import type { FastifyInstance } from 'fastify';
import { refuseOtherSites } from '../http/access/same-origin.ts';

/**
 * Accepts API keys only, because browsers send session cookies automatically. Requests from other origins
 * are refused even with a key, against DNS rebinding.
 */
export function takeKeysAlone(scope: FastifyInstance, publicUrl: string | undefined): void {
  const siteProblem = refuseOtherSites(scope, publicUrl);
  scope.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    delete headers.cookie;
    done(headers.origin === undefined ? undefined : siteProblem(request));
  });
}
