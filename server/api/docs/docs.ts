import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { securityHeaders } from '#server/http/answers/headers.ts';
import { type Whereabouts, refuseOtherHosts } from '#server/http/access/own-host.ts';
import { loadOnce } from '#server/load-once.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { Page } from './reference.ts';
import { servedDocument } from './served-document.ts';

/** The documents of both contracts, and `/docs`, a page to read them and to try endpoints with one's key. */
export function docs(
  app: FastifyInstance,
  whereabouts: Whereabouts & Pick<Dependencies, 'webhookHosts'>,
): void {
  const { publicUrl, webhookHosts } = whereabouts;
  const onRequest = refuseOtherHosts(whereabouts);
  const documents = {
    '/openapi.json': () => servedDocument('openapi.json', publicUrl, webhookHosts),
    '/owner/openapi.json': () => servedDocument('openapi-owner.json', publicUrl),
  };
  for (const [path, load] of Object.entries(documents)) {
    const loadDocument = loadOnce(load);
    app.get(path, async (request, reply) => {
      const documentFor = await loadDocument();
      return reply.type('application/json; charset=utf-8').send(documentFor(request));
    });
  }
  const loadPage = loadOnce(renderPage);
  app.get('/docs', { onRequest }, (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', { onRequest }, async (_request, reply) => {
    const { html } = await loadPage();
    return reply.type('text/html; charset=utf-8').headers(pageHeaders(html)).send(html);
  });
  app.get('/docs/js/scalar.js', { onRequest }, async (_request, reply) => {
    const { script } = await loadPage();
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(script);
  });
}

/** Renders the reference in a worker thread, because it would block the event loop for a second. */
async function renderPage(): Promise<Page & { script: Buffer }> {
  const thread = new Worker(new URL('./reference.ts', import.meta.url));
  const [{ html, script }] = (await once(thread, 'message')) as [Page];
  // In bytes: a text would be copied for everybody who reads it.
  return { html, script: Buffer.from(script.buffer) };
}

/** Allows the page its own scripts, by their hash, and calls to this server; nothing else. */
function pageHeaders(html: string): Record<string, string> {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  );
  return securityHeaders({
    'script-src': `'self' ${inline.join(' ')}`,
    // The page writes its styles at run time.
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
    'connect-src': "'self'",
  });
}
