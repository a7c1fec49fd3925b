import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { createEntryPoint } from '../http/entry-point.ts';
import { ON_EVERY_HOST, requireOwnHost } from '../http/access/hosts.ts';
import type { PageDependencies } from './dependencies.ts';
import { registerInstanceRoutes } from './instance-routes.ts';
import { registerConfirmationRoutes } from './forwarding-confirmation.ts';
import { refreshInstance, sendErrorsAsPages } from '../http/responses/page.ts';
import { registerLandingRoutes } from './landing/routes.ts';
import { registerSiteRoutes } from './site/routes.ts';
import { SiteResponder } from './site/site-responder.ts';
import { ICON } from '../http/responses/brand.ts';
import { PAGE_REFUSALS } from '../http/responses/refusals.ts';
import { createRefuser } from '../refusal.ts';
import { contactUrl } from '#page/safe-url.ts';

export function createPagesPlugin(dependencies: PageDependencies): FastifyPluginAsync {
  return createEntryPoint(async (app) => {
    sendErrorsAsPages(app, dependencies);
    app.addHook('onRequest', requireOwnHost(dependencies));
    refreshInstance(app, dependencies);
    // The confirmation form has only a button, so its body is not read. Other forms add parsers.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _body, done) => done(null));
    registerConfirmationRoutes(app, dependencies);
    const responder = new SiteResponder(app, dependencies);
    registerSiteRoutes(app, dependencies, responder);
    await registerLandingRoutes(app, dependencies, responder);
    registerWellKnownRoutes(app, dependencies);
    registerInstanceRoutes(app, dependencies);
  });
}

const refuse = createRefuser(PAGE_REFUSALS);

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;
const TEXT = 'text/plain; charset=utf-8';

function registerWellKnownRoutes(
  app: FastifyInstance,
  { abuseContact, instanceStore }: PageDependencies,
): void {
  app.get('/favicon.ico', ON_EVERY_HOST, (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON),
  );

  app.get('/robots.txt', ON_EVERY_HOST, (request, reply) =>
    reply
      .type(TEXT)
      .header('cache-control', 'public, max-age=3600')
      .send(
        request.domain
          ? 'User-agent: *\nAllow: /\n'
          : 'User-agent: *\nDisallow: /confirm/\nDisallow: /dashboard\nDisallow: /docs\nDisallow: /owner/\n',
      ),
  );

  app.get('/.well-known/security.txt', ON_EVERY_HOST, (_request, reply) => {
    const contact = abuseContact ?? instanceStore.current.contact;
    if (contact === null) throw refuse('contactNotFound');
    const expires = new Date(Date.now() + YEAR_MS).toISOString();
    return reply.type(TEXT).send(`Contact: ${contactUrl(contact)}\nExpires: ${expires}\n`);
  });
}
