import type { FastifyInstance } from 'fastify';
import { listSitemapNames } from '#db/queries/public-sites.ts';
import { newestListedAccount } from '#server/features/sites/listed-from.ts';
import { cacheForMinute } from '#server/features/setup/setup.ts';
import type { Core } from '#server/core.ts';
import { ON_PAGES_HOST } from './site/page-roots.ts';

/** Of the protocol (sitemaps.org). */
const MAX_URLS = 50_000;

/** Pages whose owners agreed to the front page and to search engines, which find them here. */
export function registerSitemap(
  server: FastifyInstance,
  { config, pageReadDb, pagesOrigin }: Pick<Core, 'config' | 'pageReadDb' | 'pagesOrigin'>,
): void {
  const readSitemap = cacheForMinute(async () => {
    const joinedBefore = newestListedAccount(config);
    const names = await listSitemapNames(pageReadDb, { joinedBefore, limit: MAX_URLS });
    // Names need no escaping.
    const urls = names.map((name) => `<url><loc>${pagesOrigin()}/@${name}</loc></url>\n`);
    return Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`,
    );
  });
  server.get('/sitemap.xml', ON_PAGES_HOST, async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(await readSitemap()),
  );
}
