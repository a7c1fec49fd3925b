import type { FastifyInstance } from 'fastify';
import type { App } from '#server/app.ts';
import { requireOwnHost } from '#server/platform/http/access/hosts.ts';
import {
  createRepresentation,
  type Encoding,
  preferredEncoding,
  type Representation,
  sendRepresentation,
} from '#server/platform/http/responses/representation.ts';
import { loadOnce } from '#server/platform/load-once.ts';
import { loadOwnerDocument, readPublicDocument } from '#server/platform/openapi-documents.ts';
import { FIRST_CALL_HEADERS, renderFirstCallPage } from './first-call-page.ts';
import { type OpenApiDocument, REFERENCES } from './openapi-document.ts';
import { createDocumentProvider, findRequestOrigin } from './served-document.ts';

export function registerDocs(
  server: FastifyInstance,
  app: Pick<App, 'config' | 'instanceStore' | 'origin'>,
): void {
  const { instanceStore } = app;
  const onRequest = requireOwnHost(app);
  const loaders = {
    '/openapi.json': loadOnce(() => createDocumentProvider(readPublicDocument(), app)),
    '/owner/openapi.json': loadOnce(() => createDocumentProvider(loadOwnerDocument(), app)),
  };
  for (const [path, loadDocument] of Object.entries(loaders))
    server.get(path, async (request, reply) => {
      const [getDocument] = await Promise.all([loadDocument(), instanceStore.refresh()]);
      const text = getDocument(findRequestOrigin(request));
      return reply.type('application/json; charset=utf-8').send(text);
    });
  for (const path of ['/docs/', ...REFERENCES.map((reference) => reference.path)])
    server.get(path.slice(0, -1), { onRequest }, (_request, reply) => reply.redirect(path, 301));
  server.get('/docs/', { onRequest }, async ({ t }, reply) => {
    await instanceStore.refresh();
    return reply
      .type('text/html; charset=utf-8')
      .headers(FIRST_CALL_HEADERS)
      .send(renderFirstCallPage(app, t));
  });
  for (const { path, file } of REFERENCES) {
    const createPage = createReferenceProvider(app, file);
    server.get(path, { onRequest }, async (request, reply) => {
      const [getDocument] = await Promise.all([loaders[file](), instanceStore.refresh()]);
      const page = await createPage(getDocument, preferredEncoding(request));
      return sendRepresentation(request, reply, page, 'no-cache');
    });
  }
}

type DocumentProvider = Awaited<ReturnType<typeof createDocumentProvider>>;

function createReferenceProvider(
  app: Pick<App, 'instanceStore' | 'origin'>,
  file: string,
): (getDocument: DocumentProvider, encoding: Encoding) => Promise<Representation> {
  // The buffer of a document is replaced when the name or logo of the instance changes.
  const pages = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Representation>>>>();
  // Loaded on the first request, so that the server starts without Markdown and QR codes.
  const render = async (buffer: Buffer, encoding: Encoding) => {
    const { REFERENCE_HEADERS, renderReferencePage } = await import('./reference-page.ts');
    const document = JSON.parse(buffer.toString()) as OpenApiDocument;
    return createRepresentation(
      {
        type: 'text/html; charset=utf-8',
        headers: REFERENCE_HEADERS,
        body: renderReferencePage(app, { document, file }),
      },
      encoding,
    );
  };
  return (getDocument, encoding) => {
    const buffer = getDocument(app.origin());
    const representations = pages.get(buffer) ?? {};
    pages.set(buffer, representations);
    return (representations[encoding] ??= render(buffer, encoding));
  };
}
