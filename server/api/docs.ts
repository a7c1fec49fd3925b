import { hash } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { securityHeaders } from '../http/headers.ts';
import { servedDocument } from './served-document.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect y="3" width="16" height="10" rx="2" fill="#1d4ed8"/><path d="M3 7h10M3 10h6" stroke="#fff"/></svg>';
/** An icon, so that no browser asks for `/favicon.ico`. The page takes what follows the last dot for its type. */
const ICON = `data:image/svg+xml;base64,${btoa(SVG)}#.svg+xml`;

/** What an empty field for a key shows, as if one were there. */
const PLACEHOLDER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

/** `/openapi.json`, the document of the API, and `/docs`, a page to read it and to try endpoints with one's key. */
export async function docs(app: FastifyInstance, publicUrl: string | undefined): Promise<void> {
  const documentFor = await servedDocument(publicUrl);
  app.get('/openapi.json', (request, reply) =>
    reply.type('application/json; charset=utf-8').send(documentFor(request)),
  );
  let page: Promise<Page> | undefined;
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', async (_request, reply) => {
    const { html } = await (page ??= renderPage());
    return reply.type('text/html; charset=utf-8').headers(pageHeaders(html)).send(html);
  });
  app.get('/docs/js/scalar.js', async (_request, reply) => {
    const { script } = await (page ??= renderPage());
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(script);
  });
}

interface Page {
  html: string;
  /** In bytes: a text would be copied for everybody who reads it. */
  script: Buffer;
}

/** Loads the reference when it is first asked for: it is some 40 MB of memory that most servers never need. */
async function renderPage(): Promise<Page> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      servers: [{ url: '/', description: 'This server' }],
      pageTitle: 'Nameplate API',
      favicon: ICON,
      theme: 'default',
      // Nothing leaves this machine: neither fonts nor a proxy nor figures about use.
      withDefaultFonts: false,
      proxyUrl: '',
      telemetry: false,
      hideClientButton: true,
      // It has no name for screen readers; the page follows the system's choice.
      hideDarkModeToggle: true,
      mcp: { disabled: true },
      agent: { disabled: true },
      showDeveloperTools: 'never',
      persistAuth: false,
      authentication: { preferredSecurityScheme: 'ApiKey' },
    },
  });
  const html = await app.inject('/docs/');
  const script = await app.inject('/docs/js/scalar.js');
  return {
    html: html.payload.replace('<html>', '<html lang="en">'),
    script: Buffer.from(script.payload.replaceAll(PLACEHOLDER, 'np_your.key')),
  };
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
