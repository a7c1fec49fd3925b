import type { FastifyPluginAsync } from 'fastify';
import { refreshInstance, sendErrorsAsPages } from '#server/entry/pages/shell/page.ts';
import type { Services } from '#server/features/services.ts';
import { requireOwnHost } from '#server/platform/http/access/hosts.ts';
import { createEntryPoint } from '#server/platform/http/entry-point.ts';
import { registerDocumentRoutes } from './document-routes.ts';
import { registerPreviewRoute } from './preview-route.ts';
import {
  createSignOnErrorPages,
  registerLogoutRoute,
  registerSignOnRoutes,
} from './sign-on-routes.ts';

export function createDashboardPlugin(app: Services): FastifyPluginAsync {
  return createEntryPoint(async (server) => {
    sendErrorsAsPages(server, app, { describeError: createSignOnErrorPages(app) });
    server.addHook('onRequest', requireOwnHost(app));
    refreshInstance(server, app);
    await server.register(async (child) => registerDocumentRoutes(child, app));
    const { signOn } = app;
    if (signOn) {
      await server.register(async (child) => registerSignOnRoutes(child, app, signOn));
      await server.register(async (child) => registerLogoutRoute(child, app, signOn));
    }
    await server.register(async (child) => registerPreviewRoute(child, app));
  });
}
