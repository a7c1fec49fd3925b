import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CROSS_SITE_REFUSALS } from '#contract/request-refusals.ts';
import { type RefusalError, refuserOf } from '#server/refusal.ts';
import { linkAddress } from '#server/settings/listening-address.ts';
import { originOf } from './public-origin.ts';

const refuse = refuserOf(CROSS_SITE_REFUSALS);

/** Refuses what changes something and is not from a page of this server, as its browser tells. */
export function refuseOtherSites(
  app: FastifyInstance,
  publicUrl: string | undefined,
): (request: FastifyRequest) => RefusalError | undefined {
  return ({ method, headers }) => {
    if (method === 'GET' || method === 'HEAD') return undefined;
    if (headers['sec-fetch-site'] === 'same-origin') return undefined;
    const own = new URL(originOf(app, publicUrl)).origin;
    const { origin = '' } = headers;
    return origin === own || linkAddress(origin) === own ? undefined : refuse('crossSiteRequest');
  };
}
