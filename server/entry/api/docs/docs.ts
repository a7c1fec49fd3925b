import type { FastifyInstance } from 'fastify';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import type { Core } from '#server/core.ts';
import { requireOwnHost } from '#server/platform/http/access/hosts.ts';
import {
  type Content,
  createRepresentation,
  type Encoding,
  preferredEncoding,
  type Representation,
  sendRepresentation,
} from '#server/platform/http/responses/representation.ts';
import { loadOnce } from '#server/platform/load-once.ts';
import {
  readOwnerDocument,
  type OpenApiDocument,
  readPublicDocument,
} from '#server/platform/openapi-documents.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { GUIDE_FILES, readGuide } from './guides.ts';
import { renderLlmsText } from './llms-text.ts';
import {
  AREA_FILES,
  AREA_PAGES,
  ERRORS_FILE,
  ERRORS_PATH,
  LLMS_PATH,
  REFERENCES,
} from './references.ts';
import { createDocumentProvider } from './served-document.ts';

const refuse = createRefuser(PATH_NOT_FOUND_REFUSALS);

const REDIRECTS = {
  '/docs': '/docs/',
  '/docs/owner': '/docs/owner/',
  [`${ERRORS_PATH}/`]: ERRORS_PATH,
  '/docs/reference/': '/docs/',
  '/docs/reference/owner/': '/docs/owner/',
};

export function registerDocs(
  server: FastifyInstance,
  app: Pick<Core, 'config' | 'instanceStore' | 'origin' | 'server'>,
): void {
  const { instanceStore } = app;
  const onRequest = requireOwnHost(app);
  const loaders = {
    '/openapi.json': loadOnce(() => createDocumentProvider(readPublicDocument(), app)),
    '/owner/openapi.json': loadOnce(() =>
      createDocumentProvider(readOwnerDocument(app.server.pathsOff), app),
    ),
  };
  const compress = cacheByDocument((body, encoding) =>
    createRepresentation({ type: 'application/json; charset=utf-8', headers: {}, body }, encoding),
  );
  for (const [path, loadDocument] of Object.entries(loaders))
    server.get(path, async (request, reply) => {
      const [getDocument] = await Promise.all([loadDocument(), instanceStore.refresh()]);
      const representation = await compress(getDocument(), preferredEncoding(request));
      return sendRepresentation(request, reply, representation, 'no-store');
    });
  for (const [path, target] of Object.entries(REDIRECTS))
    server.get(path, { onRequest }, (_request, reply) => reply.redirect(target, 301));
  const others = [
    ERRORS_PATH,
    ERRORS_FILE,
    LLMS_PATH,
    ...GUIDE_FILES.map((file) => `/docs/${file}`),
  ];
  const otherFiles = others.map((path) => ({ path, file: REFERENCES[0].file }));
  for (const { path, file } of [...REFERENCES, ...AREA_PAGES, ...AREA_FILES, ...otherFiles]) {
    const createPage = cacheByDocument(async (buffer, encoding) => {
      const document = JSON.parse(buffer.toString()) as OpenApiDocument;
      return createRepresentation(await renderPage(app, { path, file }, document), encoding);
    });
    server.get(path, { onRequest }, async (request, reply) => {
      const [getDocument] = await Promise.all([loaders[file](), instanceStore.refresh()]);
      const page = await createPage(getDocument(), preferredEncoding(request));
      return sendRepresentation(request, reply, page, 'no-cache');
    });
  }
}

type Renderer = (document: Buffer, encoding: Encoding) => Promise<Representation>;

function cacheByDocument(render: Renderer): Renderer {
  // The buffer of a document is replaced when the name or logo of the instance changes.
  const cache = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Representation>>>>();
  return (document, encoding) => {
    const representations = cache.get(document) ?? {};
    cache.set(document, representations);
    return (representations[encoding] ??= render(document, encoding));
  };
}

async function renderPage(
  app: Pick<Core, 'instanceStore' | 'origin' | 'server'>,
  { path, file }: { path: string; file: string },
  document: OpenApiDocument,
): Promise<Content> {
  const text = await renderText(app, path, document);
  const type = path.endsWith('.md') ? 'markdown' : 'plain';
  if (text !== undefined) return { type: `text/${type}; charset=utf-8`, headers: {}, body: text };
  // Loaded on the first request, so that the server starts without Markdown and QR codes.
  const { renderAreaPage, renderReferencePage } = await import('./reference-page.ts');
  const { renderErrorsPage } = await import('./errors-page.ts');
  const page =
    path === ERRORS_PATH
      ? renderErrorsPage(app)
      : (renderAreaPage(app, { document, path, file }) ??
        renderReferencePage(app, { document, path, file }));
  return { type: 'text/html; charset=utf-8', ...page };
}

/** Of the documents that are no pages. */
async function renderText(
  app: Pick<Core, 'instanceStore' | 'origin' | 'server'>,
  path: string,
  document: OpenApiDocument,
): Promise<string | undefined> {
  const origin = app.origin();
  if (path === LLMS_PATH) return renderLlmsText(app, document);
  if (path === ERRORS_FILE) {
    const { renderErrorsMarkdown } = await import('./errors-markdown.ts');
    return renderErrorsMarkdown(app.server.pathsOff);
  }
  const guide = GUIDE_FILES.find((file) => path === `/docs/${file}`);
  if (guide === 'webhooks.md') {
    const { renderEvents } = await import('./events-markdown.ts');
    return `${readGuide(guide, origin)}\n${renderEvents([document, await readOwnerDocument(app.server.pathsOff)])}\n`;
  }
  if (guide !== undefined) return readGuide(guide, origin);
  const area = AREA_FILES.find((other) => other.path === path)?.area;
  if (area === undefined) return undefined;
  if (!document.tags.some(({ name }) => name === area)) throw refuse('pathNotFound');
  return (await import('./area-markdown.ts')).renderArea(document, area, origin);
}
