import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { securityHeaders } from '#server/http/responses/headers.ts';
import { requireOwnHost } from '#server/http/access/hosts.ts';
import { loadOnce } from '#server/load-once.ts';
import type { App } from '#server/app.ts';
import { html } from '#page/html.ts';
import { FIRST_CALL_HEADERS, renderFirstCallPage } from './first-call-page.ts';
import type { Instance } from '#server/features/instance/instance-store.ts';
import { renderLogo } from '#server/http/responses/brand.ts';
import { plateStyleLink } from '#server/http/responses/page.ts';
import type { ReferencePage } from './reference.ts';
import { createDocumentProvider } from './served-document.ts';

export function registerDocs(
  server: FastifyInstance,
  app: Pick<App, 'config' | 'instanceStore' | 'origin'>,
): void {
  const { instanceStore } = app;
  const onRequest = requireOwnHost(app);
  const documents = {
    '/openapi.json': () => createDocumentProvider('openapi.json', app),
    '/owner/openapi.json': () => createDocumentProvider('openapi-owner.json', app),
  };
  for (const [path, load] of Object.entries(documents)) {
    const loadDocument = loadOnce(load);
    server.get(path, async (request, reply) => {
      const [getDocument] = await Promise.all([loadDocument(), instanceStore.refresh()]);
      return reply.type('application/json; charset=utf-8').send(getDocument(request));
    });
  }
  server.get('/docs', { onRequest }, (_request, reply) => reply.redirect('/docs/', 301));
  server.get('/docs/', { onRequest }, async ({ t }, reply) => {
    await instanceStore.refresh();
    return reply
      .type('text/html; charset=utf-8')
      .headers(FIRST_CALL_HEADERS)
      .send(renderFirstCallPage(app, t));
  });
  const loadPage = loadOnce(renderReference);
  server.get('/docs/reference/', { onRequest }, async (_request, reply) => {
    const [page] = await Promise.all([loadPage(), instanceStore.refresh()]);
    const text = withInstance(page.html, instanceStore.current);
    return reply.type('text/html; charset=utf-8').headers(pageHeaders(text)).send(text);
  });
  server.get('/docs/reference/js/scalar.js', { onRequest }, async (_request, reply) => {
    const { script } = await loadPage();
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(script);
  });
}

async function renderReference(): Promise<ReferencePage & { script: Buffer }> {
  const worker = new Worker(new URL('./reference.ts', import.meta.url));
  const [{ html: text, script }] = (await once(worker, 'message')) as [ReferencePage];
  // A buffer, because a string would be copied for each response.
  return { html: text, script: Buffer.from(script.buffer) };
}

function withInstance(page: string, instance: Instance): string {
  const title = html`<title>${instance.displayName} API</title>`.toString();
  const header = html`<header class="bar">
    <a class="logo" href="/">${renderLogo(instance)}${instance.displayName}</a>
    <a href="/docs/">Your first call</a>
  </header>`.toString();
  return page
    .replace(/<title>.*?<\/title>/, () => title + plateStyleLink(instance))
    .replace('<body>', () => `<body>${header}`);
}

function pageHeaders(page: string): Record<string, string> {
  const scriptHashes = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  );
  return securityHeaders({
    'script-src': `'self' ${scriptHashes.join(' ')}`,
    // The page writes its styles at run time.
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
    'connect-src': "'self'",
  });
}
