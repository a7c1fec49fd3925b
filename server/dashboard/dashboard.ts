import type { FastifyPluginAsync } from 'fastify';
import { entryPoint } from '../http/entry-point.ts';
import { type HostOptions, requireOwnHost } from '../http/access/hosts.ts';
import { sendErrorsAsPages } from '../http/responses/page.ts';
import { type DocumentDependencies, registerDocumentRoutes } from './document-routes.ts';
import { type SignOnDependencies, registerSignOnRoutes } from './sign-on-routes.ts';
import { type PreviewDependencies, registerPreviewRoute } from './preview-route.ts';

export function dashboardPlugin(
  dependencies: PreviewDependencies & DocumentDependencies & SignOnDependencies & HostOptions,
): FastifyPluginAsync {
  const { signOn } = dependencies;
  return entryPoint(async (scope) => {
    sendErrorsAsPages(scope, dependencies);
    scope.addHook('onRequest', requireOwnHost(dependencies));
    await scope.register(async (child) => registerDocumentRoutes(child, dependencies));
    if (signOn)
      await scope.register(async (child) =>
        registerSignOnRoutes(child, { ...dependencies, signOn }),
      );
    await scope.register(async (child) => registerPreviewRoute(child, dependencies));
  });
}
