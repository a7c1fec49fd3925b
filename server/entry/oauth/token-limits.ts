import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { ROUTES } from '#server/features/oauth/provider.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { claimedClientId } from './read-form.ts';

/** Hosted clients send the requests of all their users from few addresses. */
const REQUESTS_PER_MINUTE = 600;

export interface TokenLimits {
  /** Counts a request. Resolves to the headers of a 429 above a limit. */
  check: (request: FastifyRequest) => Promise<Record<string, string> | undefined>;
  countSuccess: (request: FastifyRequest) => Promise<unknown>;
}

export function createTokenLimits(server: FastifyInstance): TokenLimits {
  const limitPerMinute = (keyGenerator: (request: FastifyRequest) => string) =>
    server.createRateLimit({ max: REQUESTS_PER_MINUTE, timeWindow: MINUTE_MS, keyGenerator });
  const countSender = limitPerMinute(senderOf);
  // Only tokens that were issued count, otherwise strangers could lock a client out.
  const countClient = limitPerMinute(claimedClientId);
  return {
    check: async (request) => {
      for (const count of [
        () => countSender(request),
        () => countClient(request, { increment: false }),
      ]) {
        const result = await count();
        if (!result.isAllowed && result.isExceeded) return retryAfter(result.ttl).headers;
      }
      return undefined;
    },
    countSuccess: async (request) => {
      if (request.routeOptions.url === ROUTES.token) await countClient(request);
    },
  };
}

function senderOf(request: FastifyRequest): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  return token !== undefined && request.routeOptions.url === ROUTES.userinfo
    ? hash('sha256', token)
    : `${clientNetwork(request)} ${claimedClientId(request)}`;
}
