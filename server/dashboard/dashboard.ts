import type { FastifyPluginAsync } from 'fastify';
import { surface } from '../http/surface.ts';
import { type Whereabouts, refuseOtherHosts } from '../http/access/own-host.ts';
import { answerInPages } from '../http/answers/page.ts';
import { type DocumentDependencies, documents } from './documents.ts';
import { type SignOnDependencies, signOnPages } from './sign-on.ts';
import { type PreviewDependencies, previewFrame } from './preview-frame.ts';

/** Serves the dashboard to browsers: its document and files, and what its previews show. */
export function dashboard(
  dependencies: PreviewDependencies & DocumentDependencies & SignOnDependencies & Whereabouts,
): FastifyPluginAsync {
  const { signOn } = dependencies;
  return surface(async (scope) => {
    answerInPages(scope, dependencies);
    scope.addHook('onRequest', refuseOtherHosts(dependencies));
    await scope.register(async (open) => documents(open, dependencies));
    if (signOn)
      await scope.register(async (open) => signOnPages(open, { ...dependencies, signOn }));
    await scope.register(async (framed) => previewFrame(framed, dependencies));
  });
}
