import type { FastifyPluginAsync } from 'fastify';
import type { CustomDomains } from '#server/features/domains/custom-domains.ts';
import { parseDomain } from '#server/features/domains/domain-name.ts';
import { createJsonEntryPoint } from '#server/platform/http/entry-point.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(PAGE_REFUSALS);

/**
 * Tells Caddy (on-demand TLS) whether a domain may have a certificate: it must be verified and not
 * known to point elsewhere, and its account must not be suspended. Hidden pages count, so that
 * hiding a page for an hour does not cost its certificate. There is no rate limit per network,
 * because one proxy asks for all visitors. Results are cached for seconds.
 */
export function createCaddyAskPlugin({
  domains,
}: {
  domains: CustomDomains | undefined;
}): FastifyPluginAsync {
  return createJsonEntryPoint(async (server) => {
    server.get<{ Querystring: { domain?: unknown } }>(
      '/.well-known/nameplate/domain',
      async ({ query }) => {
        const domain = typeof query.domain === 'string' ? parseDomain(query.domain) : undefined;
        const site = domain && (await domains?.siteCache.find(domain));
        // Null (unknown) is accepted, because the server's own host may not resolve from here.
        if (!site || site.suspended_at || site.points_here === false) throw refuse('domainUnknown');
        return { domain };
      },
    );
  });
}
