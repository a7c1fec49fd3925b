import type { FastifyContextConfig, FastifyInstance, FastifyPluginAsync } from 'fastify';
import { refuserOf } from '../refusal.ts';
import { JSON_HEADERS } from './answers/headers.ts';
import { METHODS } from './connection/node-http.ts';
import { BELOW_ENDPOINTS } from './answers/refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Methods that are known of a path. */
interface Known extends Pick<FastifyContextConfig, 'isFoundAt'> {
  methods: string[];
}

/**
 * An entry point: routes in a scope of their own, with the hooks, parsers and error handler that it sets
 * there. Methods that one of its paths does not know get 405 from the same error handler, before
 * any hook of a scope within and before a body is read.
 */
export function surface(open: (scope: FastifyInstance) => Promise<void>): FastifyPluginAsync {
  return async (scope) => {
    const known = new Map<string, Known>();
    scope.addHook('onRoute', ({ method, url, config }) => {
      // Plugins register it; it is no path of ours.
      if (url === '*') return;
      const methods = [...(known.get(url)?.methods ?? []), ...[method].flat()];
      known.set(url, { methods, isFoundAt: config?.isFoundAt });
    });
    await open(scope);
    for (const [url, { methods, isFoundAt }] of [...known]) {
      const allow = methods.join(', ');
      scope.route({
        method: METHODS.filter((method) => !methods.includes(method)),
        url,
        config: { isFoundAt },
        exposeHeadRoute: false,
        onRequest: (_request, _reply, done) =>
          done(refuse('methodNotAllowed', { methods: allow, headers: { allow } })),
        handler: () => {},
      });
    }
  };
}

/** A surface whose responses, including errors, are JSON. */
export function jsonSurface(open: (scope: FastifyInstance) => Promise<void>): FastifyPluginAsync {
  return surface(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(JSON_HEADERS);
      done();
    });
    await open(scope);
  });
}
