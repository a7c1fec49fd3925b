import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/** `/openapi.json`, the document of the API, and `/docs`, a page to read it and to try endpoints with one's key. */
export async function docs(app: FastifyInstance): Promise<void> {
  const document = await readFile(new URL('../openapi.json', import.meta.url), 'utf8');
  app.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  );
  await app.register(async (page) => {
    page.addHook('onSend', (_request, reply, payload, done) => {
      if (
        typeof payload === 'string' &&
        String(reply.getHeader('content-type')).startsWith('text/html')
      )
        reply.header('content-security-policy', contentSecurityPolicy(payload));
      done(null, payload);
    });
    await page.register(reference, {
      routePrefix: '/docs',
      logLevel: 'silent',
      configuration: {
        url: '/openapi.json',
        servers: [{ url: '/', description: 'This server' }],
        pageTitle: 'Nameplate API',
        theme: 'default',
        // Nothing leaves this machine: neither fonts nor a proxy nor figures about use.
        withDefaultFonts: false,
        proxyUrl: '',
        telemetry: false,
        hideClientButton: true,
        mcp: { disabled: true },
        agent: { disabled: true },
        showDeveloperTools: 'never',
        persistAuth: false,
        authentication: { preferredSecurityScheme: 'ApiKey' },
      },
    });
  });
}

/** Allows the page its own scripts, by their hash, and calls to this server; nothing else. */
function contentSecurityPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    // The page writes its styles at run time.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
