import type { FastifyInstance } from 'fastify';
import { apiPlugin } from './api/api.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { dashboardPlugin } from './dashboard/dashboard.ts';
import type { SignOnDependencies } from './dashboard/sign-on-routes.ts';
import { separateHosts } from './http/access/hosts.ts';
import { createServer } from './http/server.ts';
import { type RateLimitOptions, createRateLimits } from './http/access/rate-limits.ts';
import { createSessionCookie, createSignOnCookie } from './http/access/session-cookie.ts';
import { SignUpService } from './features/sign-up/sign-up-service.ts';
import { mcpPlugin } from './mcp/mcp.ts';
import { type OwnerDependencies, ownerPlugin } from './api/owner.ts';
import type { PageDependencies } from './pages/dependencies.ts';
import { caddyAsk } from './pages/caddy-ask.ts';
import { pages } from './pages/pages.ts';
import type { EmailDomainRules } from './features/sign-up/sign-up-mail.ts';
import { PageMetrics } from './features/metrics/page-metrics.ts';
import { DailyUsageTracker } from '#server/limits/allowances/daily-usage-tracker.ts';

export interface AppDependencies
  extends
    Omit<
      ApiDependencies & OwnerDependencies & PageDependencies & SignOnDependencies,
      'cookie' | 'ownHosts' | 'pageMetrics' | 'rates' | 'signOnCookie' | 'signUps' | 'dailyUsage'
    >,
    EmailDomainRules {
  limits: RateLimitOptions;
}

export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { db, readDb, queues, allowances, logger, limits, host, publicUrl, pagesUrl } =
    dependencies;
  const app = createServer(dependencies);
  separateHosts(app, dependencies, dependencies.customDomains?.siteCache);
  const dailyUsage = new DailyUsageTracker(db, allowances, (error) => logger.error(error));
  app.addHook('onClose', () => dailyUsage.flush());
  const pageMetrics = new PageMetrics({
    readDb,
    metricReads: queues.metricReads.databaseFor('pageMetrics'),
    onError: (error) => logger.error({ err: error }, 'the numbers of a page could not be read'),
  });
  app.addHook('onClose', async () => pageMetrics.close());
  const address = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}`;
  const rates = await createRateLimits(app, limits);
  const deps = {
    ...dependencies,
    pagesUrl: pagesUrl ?? publicUrl,
    ownHosts: ownHosts(dependencies),
    dailyUsage,
    pageMetrics,
    rates,
    signUps: new SignUpService({ ...dependencies, rates }),
    cookie: createSessionCookie(address),
    signOnCookie: createSignOnCookie(address),
  };
  await app.register(apiPlugin(deps));
  await app.register(ownerPlugin(deps));
  await app.register(mcpPlugin(deps));
  // All visitors together count as one account, so that they cannot take all connections.
  await app.register(pages({ ...deps, readDb: queues.reads.databaseFor('pages') }));
  await app.register(caddyAsk(deps));
  await app.register(dashboardPlugin(deps));
  return app;
}

function ownHosts({
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
