import type { FastifyInstance } from 'fastify';
import { api } from './api/api.ts';
import type { Dependencies } from './dependencies.ts';
import { dashboard } from './dashboard/dashboard.ts';
import type { SignOnDependencies } from './dashboard/sign-on.ts';
import { keepHostsApart } from './http/access/own-host.ts';
import { createServer } from './http/server.ts';
import { type Limits, limitRates } from './http/access/rate-limits.ts';
import { sessionCookie, signOnCookie } from './http/access/session-cookie.ts';
import { SignUpService } from './features/sign-up/sign-up-service.ts';
import { mcp } from './mcp/mcp.ts';
import { type OwnerDependencies, owner } from './api/owner.ts';
import type { PageDependencies } from './pages/dependencies.ts';
import { caddyAsk } from './pages/caddy-ask.ts';
import { pages } from './pages/pages.ts';
import type { EmailDomainRules } from './features/sign-up/sign-up-mail.ts';
import { PageNumbers } from './features/metrics/page-numbers.ts';
import { StoredVolumes } from './limits/allowances/stored-volumes.ts';

/** Dependencies of all entry points. */
export interface AppDependencies
  extends
    Omit<
      Dependencies & OwnerDependencies & PageDependencies & SignOnDependencies,
      'cookie' | 'ownHosts' | 'pageNumbers' | 'rates' | 'signOnCookie' | 'signUps' | 'volumes'
    >,
    EmailDomainRules {
  limits: Limits;
}

/** The application: every entry point on one HTTP server. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { db, reads, queues, allowances, logger, limits, host, publicUrl, pagesUrl } = dependencies;
  const app = createServer(dependencies);
  keepHostsApart(app, dependencies, dependencies.customDomains?.siteCache);
  const volumes = new StoredVolumes(db, allowances, (error) => logger.error(error));
  app.addHook('onClose', () => volumes.reconcile());
  const pageNumbers = new PageNumbers({
    reads,
    metricReads: queues.metricReads.of('pageNumbers'),
    onError: (error) => logger.error({ err: error }, 'the numbers of a page could not be read'),
  });
  app.addHook('onClose', async () => pageNumbers.close());
  const address = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}`;
  const rates = await limitRates(app, limits);
  const all = {
    ...dependencies,
    pagesUrl: pagesUrl ?? publicUrl,
    ownHosts: ownHosts(dependencies),
    volumes,
    pageNumbers,
    rates,
    signUps: new SignUpService({ ...dependencies, rates }),
    cookie: sessionCookie(address),
    signOnCookie: signOnCookie(address),
  };
  await app.register(api(all));
  await app.register(owner(all));
  await app.register(mcp(all));
  // Visitors together count as one account, so that they cannot take all connections from others.
  await app.register(pages({ ...all, reads: queues.reads.of('pages') }));
  await app.register(caddyAsk(all));
  await app.register(dashboard(all));
  return app;
}

/** Hosts that nobody can claim as a custom domain. */
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
