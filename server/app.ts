import type { FastifyInstance } from 'fastify';
import { createApiPlugin } from './api/api.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { createDashboardPlugin } from './dashboard/dashboard.ts';
import type { SignOnDependencies } from './dashboard/sign-on-routes.ts';
import { separateHosts } from './http/access/hosts.ts';
import { createServer } from './http/server.ts';
import { type RateLimitOptions, createRateLimits } from './http/access/rate-limits.ts';
import { createSessionCookie, createSignOnCookie } from './http/access/session-cookie.ts';
import { SignUpService } from './features/sign-up/sign-up-service.ts';
import { createMcpPlugin } from './mcp/mcp.ts';
import { type OwnerDependencies, createOwnerPlugin } from './api/owner.ts';
import type { PageDependencies } from './pages/dependencies.ts';
import { createCaddyAskPlugin } from './pages/caddy-ask.ts';
import { createPagesPlugin } from './pages/pages.ts';
import type { EmailDomainRules } from './features/sign-up/sign-up-mail.ts';
import { PageMetrics } from './features/metrics/page-metrics.ts';
import { DailyUsageTracker } from '#server/limits/allowances/daily-usage-tracker.ts';

export interface AppDependencies
  extends
    Omit<
      ApiDependencies & OwnerDependencies & PageDependencies & SignOnDependencies,
      | 'cookie'
      | 'serverHosts'
      | 'pageMetrics'
      | 'rateLimits'
      | 'signOnCookie'
      | 'signUps'
      | 'dailyUsage'
    >,
    EmailDomainRules {
  rateLimitOptions: RateLimitOptions;
}

export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { db, readDb, queues, allowances, logger, rateLimitOptions, host, publicUrl, pagesUrl } =
    dependencies;
  const app = createServer(dependencies);
  separateHosts(app, dependencies, dependencies.customDomains?.siteCache);
  const dailyUsage = new DailyUsageTracker(db, allowances, (error) => logger.error(error));
  app.addHook('onClose', () => dailyUsage.flush());
  const pageMetrics = new PageMetrics({
    readDb,
    metricReadDb: queues.metricReads.databaseFor('pageMetrics'),
    onError: (error) => logger.error({ err: error }, 'the numbers of a page could not be read'),
  });
  app.addHook('onClose', async () => pageMetrics.close());
  const baseUrl = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}`;
  const rateLimits = await createRateLimits(app, rateLimitOptions);
  const deps = {
    ...dependencies,
    pagesUrl: pagesUrl ?? publicUrl,
    serverHosts: listServerHosts(dependencies),
    dailyUsage,
    pageMetrics,
    rateLimits,
    signUps: new SignUpService({ ...dependencies, rateLimits }),
    cookie: createSessionCookie(baseUrl),
    signOnCookie: createSignOnCookie(baseUrl),
  };
  await app.register(createApiPlugin(deps));
  await app.register(createOwnerPlugin(deps));
  await app.register(createMcpPlugin(deps));
  // All visitors together count as one account, so that they cannot take all connections.
  await app.register(createPagesPlugin({ ...deps, readDb: queues.reads.databaseFor('pages') }));
  await app.register(createCaddyAskPlugin(deps));
  await app.register(createDashboardPlugin(deps));
  return app;
}

function listServerHosts({
  publicUrl,
  pagesUrl,
  host,
  mailDomain,
  customDomains,
}: AppDependencies): string[] {
  const urls = [publicUrl, pagesUrl].filter((url) => url !== undefined);
  return [
    host,
    mailDomain,
    ...urls.map((url) => new URL(url).hostname),
    ...(customDomains ? [customDomains.checker.cachedTarget.host] : []),
  ];
}
