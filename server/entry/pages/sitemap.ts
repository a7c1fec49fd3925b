import type { FastifyInstance } from 'fastify';
import { listSitemapNames } from '#db/queries/public-sites.ts';
import type { Core } from '#server/core.ts';
import { newestListedAccount } from '#server/features/sites/listed-from.ts';
import { cacheForMinute } from '#server/platform/cache-for-minute.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { ON_PAGES_HOST } from './site/page-roots.ts';

/** Of the protocol (sitemaps.org). */
const MAX_URLS = 50_000;

const refuse = createRefuser(PAGE_REFUSALS);

/**
 * The front page, and pages whose owners agreed to it and to search engines. All URLs must be on the
 * sitemap's host, and there must be one (sitemaps.org).
 */
export function registerSitemap(
  server: FastifyInstance,
  {
    config,
    origin,
    pageReadDb,
    pagesOrigin,
  }: Pick<Core, 'config' | 'origin' | 'pageReadDb' | 'pagesOrigin'>,
): void {
  const readSitemap = cacheForMinute(async () => {
    const joinedBefore = newestListedAccount(config);
    const names = await listSitemapNames(pageReadDb, { joinedBefore, limit: MAX_URLS - 1 });
    const hasFrontPage = pagesOrigin() === origin() && config.HOME_URL === undefined;
    // Names need no escaping.
    const paths = [...(hasFrontPage ? [''] : []), ...names.map((name) => `@${name}`)];
    const urls = paths.map((path) => `<url><loc>${pagesOrigin()}/${path}</loc></url>\n`);
    if (urls.length === 0) return undefined;
    return Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`,
    );
  });
  server.get('/sitemap.xml', ON_PAGES_HOST, async (_request, reply) => {
    const sitemap = await readSitemap();
    if (!sitemap) throw refuse('pageNotFound');
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(sitemap);
  });
}
