import type { FastifyContextConfig, FastifyInstance, FastifyPluginAsync } from 'fastify';
import { createRefuser } from '../refusal.ts';
import { JSON_HEADERS } from './responses/headers.ts';
import { METHODS } from './connection/node-http.ts';
import { NON_ENDPOINT_REFUSALS } from './responses/refusals.ts';

const refuse = createRefuser(NON_ENDPOINT_REFUSALS);

interface RegisteredPath extends Pick<FastifyContextConfig, 'hostKinds'> {
  methods: string[];
}

/**
 * Registers routes in a Fastify scope with their own hooks, parsers and error handler. Requests
 * with other methods for the same paths get 405 before any hook of an inner scope runs and before
 * the body is read.
 */
export function createEntryPoint(
  register: (app: FastifyInstance) => Promise<void>,
): FastifyPluginAsync {
  return async (app) => {
    const paths = new Map<string, RegisteredPath>();
    app.addHook('onRoute', ({ method, url, config }) => {
      // Plugins such as CORS register this path.
      if (url === '*') return;
      const methods = [...(paths.get(url)?.methods ?? []), ...[method].flat()];
      paths.set(url, { methods, hostKinds: config?.hostKinds });
    });
    await register(app);
    for (const [url, { methods, hostKinds }] of [...paths]) {
      const allow = methods.join(', ');
      app.route({
        method: METHODS.filter((method) => !methods.includes(method)),
        url,
        config: { hostKinds },
        exposeHeadRoute: false,
        onRequest: (_request, _reply, done) =>
          done(refuse('methodNotAllowed', { methods: allow, headers: { allow } })),
        handler: () => {},
      });
    }
  };
}

export function createJsonEntryPoint(
  register: (app: FastifyInstance) => Promise<void>,
): FastifyPluginAsync {
  return createEntryPoint(async (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(JSON_HEADERS);
      done();
    });
    await register(app);
  });
}
