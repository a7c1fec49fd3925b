import type { FastifyContextConfig, FastifyInstance, FastifyPluginAsync } from 'fastify';
import { createRefuser } from '../refusal.ts';
import { METHODS } from './connection/methods.ts';
import { JSON_HEADERS } from './responses/headers.ts';
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
  register: (server: FastifyInstance) => Promise<void>,
): FastifyPluginAsync {
  return async (server) => {
    const paths = new Map<string, RegisteredPath>();
    server.addHook('onRoute', ({ method, url, config }) => {
      // Plugins such as CORS register this path.
      if (url === '*') return;
      const methods = [...(paths.get(url)?.methods ?? []), ...[method].flat()];
      paths.set(url, { methods, hostKinds: config?.hostKinds });
    });
    await register(server);
    // Loads inner scopes, whose routes count, too.
    await server.after();
    for (const [url, { methods, hostKinds }] of [...paths]) {
      const allow = methods.join(', ');
      server.route({
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
  register: (server: FastifyInstance) => Promise<void>,
): FastifyPluginAsync {
  return createEntryPoint(async (server) => {
    server.addHook('onRequest', (_request, reply, done) => {
      reply.headers(JSON_HEADERS);
      done();
    });
    await register(server);
  });
}
