import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { DAY_MS } from '#contract/shared/durations.ts';
import { contactUrl } from '#contract/shared/web-url.ts';
import type { Core } from '#server/core.ts';
import { ICON } from '#server/entry/pages/shell/brand.ts';
import { refreshInstance, sendErrorsAsPages } from '#server/entry/pages/shell/page.ts';
import { listFeaturesOff } from '#server/features/call-features.ts';
import type { Services } from '#server/features/services.ts';
import { ON_EVERY_HOST, requireOwnHost } from '#server/platform/http/access/hosts.ts';
import { createEntryPoint } from '#server/platform/http/entry-point.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { registerDirectoryRoute } from './directory/routes.ts';
import { registerConfirmationRoutes } from './forwarding-confirmation.ts';
import { registerInstanceRoutes } from './instance-routes.ts';
import { registerLandingRoutes } from './landing/routes.ts';
import { registerSiteRoutes } from './site/routes.ts';
import { SiteResponder } from './site/site-responder.ts';
import { registerSitemap } from './sitemap.ts';
import { registerUnsubscribeRoutes } from './unsubscribe.ts';

export function createPagesPlugin(app: Services): FastifyPluginAsync {
  return createEntryPoint(async (server) => {
    sendErrorsAsPages(server, app);
    server.addHook('onRequest', requireOwnHost(app));
    refreshInstance(server, app);
    // These forms have only a button, so their body is not read. Other forms add parsers.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', (_request, _body, done) => done(null));
    registerConfirmationRoutes(server, app);
    if (!app.features.off.includes('messages')) registerUnsubscribeRoutes(server, app);
    for (const link of listFeaturesOff(app.features).flatMap(({ links = [] }) => links))
      server.route({
        method: ['GET', 'POST'],
        url: link,
        handler: () => {
          throw refuse('featureOff');
        },
      });
    const responder = new SiteResponder(app);
    registerSiteRoutes(server, app, responder);
    await registerLandingRoutes(server, app, responder);
    registerWellKnownRoutes(server, app);
    registerSitemap(server, app);
    registerDirectoryRoute(server, app);
    registerInstanceRoutes(server, app);
  });
}

const refuse = createRefuser(PAGE_REFUSALS);

/** RFC 9116, 2.5.5 recommends less than a year. */
const CONTACT_DAYS = 180;
const TEXT = 'text/plain; charset=utf-8';

function registerWellKnownRoutes(
  server: FastifyInstance,
  { config, instanceStore, pagesOrigin }: Pick<Core, 'config' | 'instanceStore' | 'pagesOrigin'>,
): void {
  server.get('/favicon.ico', ON_EVERY_HOST, (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON),
  );

  server.get('/robots.txt', ON_EVERY_HOST, (request, reply) =>
    reply
      .type(TEXT)
      .header('cache-control', 'public, max-age=3600')
      // Paths with `noindex` are not here: crawlers must read it (Google: “Block indexing”).
      .send(
        request.domain
          ? 'User-agent: *\nAllow: /\n'
          : `User-agent: *\nDisallow: /owner/\nAllow: /owner/openapi.json\n\nSitemap: ${pagesOrigin()}/sitemap.xml\n`,
      ),
  );

  server.get('/.well-known/security.txt', ON_EVERY_HOST, (_request, reply) => {
    const contact = config.ABUSE_CONTACT ?? instanceStore.current.contact;
    if (contact === null) throw refuse('contactNotFound');
    const expires = new Date(Date.now() + CONTACT_DAYS * DAY_MS).toISOString();
    return reply.type(TEXT).send(`Contact: ${contactUrl(contact)}\nExpires: ${expires}\n`);
  });
}
