import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { refuserOf } from '../service/refusal.ts';
import { METHODS } from './node-http.ts';
import { BELOW_ENDPOINTS } from './refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/**
 * A door: routes in a scope of their own, with the hooks, parsers and error handler that it sets
 * there. Methods that one of its paths does not know get 405 from the same error handler, before
 * any hook of a scope within and before a body is read.
 */
export function door(open: (scope: FastifyInstance) => Promise<void>): FastifyPluginAsync {
  return async (scope) => {
    const known = new Map<string, string[]>();
    scope.addHook('onRoute', ({ method, url }) => {
      // Of plugins, not a path of ours.
      if (url === '*') return;
      known.set(url, [...(known.get(url) ?? []), ...[method].flat()]);
    });
    await open(scope);
    for (const [url, methods] of [...known]) {
      const allow = methods.join(', ');
      scope.route({
        method: METHODS.filter((method) => !methods.includes(method)),
        url,
        exposeHeadRoute: false,
        onRequest: (_request, _reply, done) =>
          done(refuse('methodUnknown', { methods: allow, headers: { allow } })),
        handler: () => {},
      });
    }
  };
}
