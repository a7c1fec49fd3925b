import type { FastifyInstance } from 'fastify';
import { listSitemapNames } from '#db/queries/public-sites.ts';
import { newestListedAccount } from '#server/features/sites/listed-from.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import type { Core } from '#server/core.ts';
import { ON_PAGES_HOST } from './site/page-roots.ts';

/** Of the protocol (sitemaps.org). */
const MAX_URLS = 50_000;

/** Pages whose owners agreed to the front page and to search engines, which find them here. */
export function registerSitemap(
  server: FastifyInstance,
  { config, pageReadDb, pagesOrigin }: Pick<Core, 'config' | 'pageReadDb' | 'pagesOrigin'>,
): void {
  // Requests at the same time share one query.
  const lookUp = batchLookup<string[]>(
    async ([key]) => {
      const joinedBefore = newestListedAccount(config);
      return new Map([
        [key!, await listSitemapNames(pageReadDb, { joinedBefore, limit: MAX_URLS })],
      ]);
    },
    { gate: 'pages', maxKeysPerBatch: 1 },
  );
  server.get('/sitemap.xml', ON_PAGES_HOST, async (_request, reply) => {
    const names = (await lookUp('sitemap')) ?? [];
    // Names need no escaping.
    const urls = names.map((name) => `<url><loc>${pagesOrigin()}/@${name}</loc></url>\n`);
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`,
      );
  });
}
