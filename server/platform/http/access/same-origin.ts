import type { FastifyRequest } from 'fastify';
import { CROSS_SITE_REFUSALS } from '#contract/request-refusals.ts';
import { type RefusalError, createRefuser } from '#server/platform/refusal.ts';
import { toBrowsableOrigin } from '#server/platform/settings/listening-address.ts';

const refuse = createRefuser(CROSS_SITE_REFUSALS);

export function createSameOriginCheck(
  getOrigin: () => string,
): (request: FastifyRequest) => RefusalError | undefined {
  return ({ method, headers, domain }) => {
    if (method === 'GET' || method === 'HEAD') return undefined;
    if (headers['sec-fetch-site'] === 'same-origin') return undefined;
    // Custom domains have the scheme and port of the pages.
    const url = new URL(getOrigin());
    if (domain) url.hostname = domain.host;
    const { origin: ownOrigin } = url;
    const { origin = '' } = headers;
    return origin === ownOrigin || toBrowsableOrigin(origin) === ownOrigin
      ? undefined
      : refuse('crossSiteRequest');
  };
}
