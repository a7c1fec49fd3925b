import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CROSS_SITE_REFUSALS } from '#contract/request-refusals.ts';
import { type RefusalError, refuserOf } from '#server/refusal.ts';
import { linkAddress } from '#server/settings/listening-address.ts';
import { publicOrigin } from './public-origin.ts';

const refuse = refuserOf(CROSS_SITE_REFUSALS);

export function createSameOriginCheck(
  app: FastifyInstance,
  publicUrl: string | undefined,
): (request: FastifyRequest) => RefusalError | undefined {
  return ({ method, headers }) => {
    if (method === 'GET' || method === 'HEAD') return undefined;
    if (headers['sec-fetch-site'] === 'same-origin') return undefined;
    const ownOrigin = new URL(publicOrigin(app, publicUrl)).origin;
    const { origin = '' } = headers;
    return origin === ownOrigin || linkAddress(origin) === ownOrigin
      ? undefined
      : refuse('crossSiteRequest');
  };
}
