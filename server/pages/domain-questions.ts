import type { FastifyPluginAsync } from 'fastify';
import { PAGE_REFUSALS } from '../http/answers/refusals.ts';
import { jsonSurface } from '../http/surface.ts';
import { domainIn } from '../service/domains/domain-name.ts';
import { refuserOf } from '../service/refusal.ts';
import type { PageDependencies } from './dependencies.ts';

const refuse = refuserOf(PAGE_REFUSALS);

/**
 * Tells a proxy that makes certificates on demand for which domains it may: those that are verified
 * and lead here, of accounts that are not suspended. Hidden pages count, so that a certificate outlives an
 * hour of hiding. The proxy asks for all visitors, so no network is counted: what it asks is cached for
 * seconds, and looked up in batches.
 */
export function domainQuestions({
  customDomains,
}: Pick<PageDependencies, 'customDomains'>): FastifyPluginAsync {
  return jsonSurface(async (scope) => {
    scope.get<{ Querystring: { domain?: unknown } }>(
      '/.well-known/nameplate/domain',
      async ({ query }) => {
        const domain = typeof query.domain === 'string' ? domainIn(query.domain) : undefined;
        const site = domain && (await customDomains?.directory.find(domain));
        // Unknown is enough: the server's own host may not resolve from here.
        if (!site || site.suspended_at || site.leads_here === false) throw refuse('domainUnknown');
        return { domain };
      },
    );
  });
}
