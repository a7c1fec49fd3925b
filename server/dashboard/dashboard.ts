import type { FastifyPluginAsync } from 'fastify';
import { createEntryPoint } from '../http/entry-point.ts';
import { type HostOptions, requireOwnHost } from '../http/access/hosts.ts';
import { refreshInstance, sendErrorsAsPages } from '../http/responses/page.ts';
import { type DocumentDependencies, registerDocumentRoutes } from './document-routes.ts';
import { type SignOnDependencies, registerSignOnRoutes } from './sign-on-routes.ts';
import { type PreviewDependencies, registerPreviewRoute } from './preview-route.ts';

export function createDashboardPlugin(
  dependencies: PreviewDependencies & DocumentDependencies & SignOnDependencies & HostOptions,
): FastifyPluginAsync {
  const { signOn } = dependencies;
  return createEntryPoint(async (app) => {
    sendErrorsAsPages(app, dependencies);
    app.addHook('onRequest', requireOwnHost(dependencies));
    refreshInstance(app, dependencies);
    await app.register(async (child) => registerDocumentRoutes(child, dependencies));
    if (signOn)
      await app.register(async (child) => registerSignOnRoutes(child, { ...dependencies, signOn }));
    await app.register(async (child) => registerPreviewRoute(child, dependencies));
  });
}
