import type { FastifyPluginAsync } from 'fastify';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import { refreshInstance, sendErrorsAsPages } from '#server/entry/pages/shell/page.ts';
import type { Services } from '#server/features/services.ts';
import { requireOwnHost } from '#server/platform/http/access/hosts.ts';
import { createEntryPoint } from '#server/platform/http/entry-point.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { registerDocumentRoutes } from './document-routes.ts';
import { MESSAGE_PREVIEW_PATH, registerPreviewRoute } from './preview-route.ts';
import {
  createSignOnErrorPages,
  LOGOUT_PATH,
  registerLogoutRoute,
  registerSignOnRoutes,
} from './sign-on-routes.ts';

const refuse = createRefuser(PATH_NOT_FOUND_REFUSALS);

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
    // The dashboard answers any GET below its path, so that another method would be 405.
    const pathsOff = [
      ...(signOn ? [] : [LOGOUT_PATH]),
      ...(app.features.off.includes('messages') ? [MESSAGE_PREVIEW_PATH] : []),
    ];
    for (const path of pathsOff)
      server.post(path, () => {
        throw refuse('pathNotFound');
      });
  });
}
