import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ACCOUNT_REQUEST_REFUSALS } from '#contract/request-refusals.ts';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { ROUTES } from '#server/features/oauth/provider.ts';
import { readBearer } from '#server/platform/http/access/authentication-guard.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { readParams } from './read-form.ts';

/** Hosted clients send the requests of all their users from few addresses. */
const REQUESTS_PER_MINUTE = 600;

const refuse = createRefuser(ACCOUNT_REQUEST_REFUSALS);

/**
 * Counts a request. Never counts a client from all networks together, because everybody can use the
 * id of a public one.
 */
export function createTokenLimit(
  server: FastifyInstance,
): (request: FastifyRequest) => Promise<void> {
  const count = server.createRateLimit({
    max: REQUESTS_PER_MINUTE,
    timeWindow: MINUTE_MS,
    keyGenerator: senderOf,
  });
  return async (request) => {
    const result = await count(request);
    if (!result.isAllowed && result.isExceeded) throw refuse('rateLimited', retryAfter(result.ttl));
  };
}

function senderOf(request: FastifyRequest): string {
  const token = readBearer(request);
  return token !== undefined && request.routeOptions.url === ROUTES.userinfo
    ? hash('sha256', token)
    : `${clientNetwork(request)} ${claimedClientId(request)}`;
}

/** Not authenticated: for limits. */
function claimedClientId(request: Pick<FastifyRequest, 'body' | 'headers'>): string {
  const [, basic = ''] =
    /^Basic +([\w+/=-]{1,4000})$/i.exec(request.headers.authorization ?? '') ?? [];
  const [id = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':', 1);
  return (id || readParams(request).get('client_id') || '').slice(0, 500);
}
