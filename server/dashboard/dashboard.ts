import type { FastifyPluginAsync } from 'fastify';
import { door } from '../http/door.ts';
import { explainError } from '../http/error-answer.ts';
import { PAGE_HEADERS, renderPage } from '../http/page.ts';
import { type DocumentDependencies, documents } from './documents.ts';
import { type PreviewDependencies, previewFrame } from './preview-frame.ts';

/** What owners use in a browser: its document and files, and what its previews show. */
export function dashboard(
  dependencies: PreviewDependencies & DocumentDependencies,
): FastifyPluginAsync {
  return door(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const { status, headers, message } = explainError(error, request);
      return reply
        .status(status)
        .headers({ ...PAGE_HEADERS, ...headers })
        .send(renderPage({ title: message }));
    });
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(PAGE_HEADERS);
      done();
    });
    await scope.register(async (open) => documents(open, dependencies));
    await scope.register(async (framed) => previewFrame(framed, dependencies));
  });
}
