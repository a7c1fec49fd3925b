import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import type { App } from '#server/app.ts';

const ICON_SIZES = [192, 512];
const HEADERS = { 'cache-control': 'public, max-age=86400', ...securityHeaders() };

/** Web server manifest (W3C). */
const MANIFEST = {
  id: '/dashboard/',
  start_url: '/dashboard/',
  scope: '/dashboard/',
  display: 'standalone',
  theme_color: '#0f6a4c',
  background_color: '#ffffff',
  icons: ICON_SIZES.map((size) => ({
    src: `/dashboard/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
};

export function registerManifestRoutes(
  server: FastifyInstance,
  { instanceStore }: Pick<App, 'instanceStore'>,
): void {
  server.get('/dashboard/manifest.webmanifest', (_request, reply) =>
    reply
      .headers(HEADERS)
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify({ name: instanceStore.current.displayName, ...MANIFEST })),
  );
  for (const size of ICON_SIZES) {
    const icon = readFileSync(new URL(`icons/${size}.png`, import.meta.url));
    server.get(`/dashboard/icon-${size}.png`, (_request, reply) =>
      reply.headers(HEADERS).type('image/png').send(icon),
    );
  }
}
