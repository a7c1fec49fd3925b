import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { ROUTES } from '#server/features/oauth/provider.ts';
import { readBearer } from '#server/platform/http/access/authentication-guard.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { claimedClientId } from './read-form.ts';

/** Hosted clients send the requests of all their users from few addresses. */
const REQUESTS_PER_MINUTE = 600;

/**
 * Counts a request, and resolves to the headers of a 429 above the limit. Never counts a client from
 * all networks together, because everybody can use the id of a public one.
 */
export function createTokenLimit(
  server: FastifyInstance,
): (request: FastifyRequest) => Promise<Record<string, string> | undefined> {
  const count = server.createRateLimit({
    max: REQUESTS_PER_MINUTE,
    timeWindow: MINUTE_MS,
    keyGenerator: senderOf,
  });
  return async (request) => {
    const result = await count(request);
    return !result.isAllowed && result.isExceeded ? retryAfter(result.ttl).headers : undefined;
  };
}

function senderOf(request: FastifyRequest): string {
  const token = readBearer(request);
  return token !== undefined && request.routeOptions.url === ROUTES.userinfo
    ? hash('sha256', token)
    : `${clientNetwork(request)} ${claimedClientId(request)}`;
}
