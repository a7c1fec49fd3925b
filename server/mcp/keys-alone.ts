import type { FastifyInstance } from 'fastify';
import { refuseOtherSites } from '../http/access/same-origin.ts';

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Lets keys in and no sessions, because a browser sends cookies by itself. A key is in `X-API-KEY` or, as
 * clients of the protocol send it, in `Authorization`. What pages of other origins send is refused even
 * with a key: a name of theirs may lead to this server.
 */
export function takeKeysAlone(scope: FastifyInstance, publicUrl: string | undefined): void {
  const siteProblem = refuseOtherSites(scope, publicUrl);
  scope.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    delete headers.cookie;
    headers['x-api-key'] ??= BEARER.exec(headers.authorization ?? '')?.[1];
    done(headers.origin === undefined ? undefined : siteProblem(request));
  });
}
