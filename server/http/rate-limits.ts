import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { EVERY_REQUEST } from '../../contract/request-refusals.ts';
import { refusal } from '../../contract/refusal.ts';
import { waiting } from '../service/allowances/waiting.ts';
import { networkOf } from './address.ts';
import { callerOf } from './caller.ts';
import type { Limits } from './shedding.ts';
import { type RefusalError, refuserOf } from '../service/refusal.ts';

const MINUTE_MS = 60_000;

const refuse = refuserOf({
  ...EVERY_REQUEST,
  pageRateLimited: refusal(
    429,
    'As many pages that there are not were asked for from one address in a minute.',
    'Too many pages that there are not; try again in {wait}.',
    { wait: '20 seconds' },
  ),
});

/** What is counted, for all doors together. */
export interface Rates {
  /** Lets every account make so many requests a minute, with all of its keys together; undefined without a limit. */
  limitAccount: onRequestAsyncHookHandler | undefined;
  /** Counts a request that lets nobody in against its address, and says if they are too many. */
  countRefused: (request: FastifyRequest) => Promise<RefusalError | undefined>;
  /** The same for a login. */
  countRefusedLogin: (request: FastifyRequest) => Promise<RefusalError | undefined>;
  /** Counts a page that there is not against the address that asked for it, and says if they are too many. */
  countUnknown: (request: FastifyRequest) => Promise<RefusalError | undefined>;
}

/** Begins to count. */
export async function limitRates(app: FastifyInstance, limits: Limits): Promise<Rates> {
  const { requestsPerMinute, refusedLogins = 0, unknownPagesPerMinute = 0 } = limits;
  await app.register(rateLimit, { global: false, timeWindow: MINUTE_MS });
  const byAddress = (
    max: number,
    code: 'addressRateLimited' | 'pageRateLimited',
    timeWindow = MINUTE_MS,
  ) => {
    if (max === 0) return () => Promise.resolve(undefined);
    const keyGenerator = (from: FastifyRequest) => networkOf(from) ?? '';
    const count = app.createRateLimit({ max, timeWindow, keyGenerator });
    return async (request: FastifyRequest) => {
      const counted = await count(request);
      return !counted.isAllowed && counted.isExceeded
        ? refuse(code, waiting(counted.ttl))
        : undefined;
    };
  };
  const byAccount = {
    max: requestsPerMinute,
    keyGenerator: (request: FastifyRequest) => callerOf(request).accountId,
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
      refuse('rateLimited', waiting(ttl)),
  };
  return {
    limitAccount: requestsPerMinute === 0 ? undefined : app.rateLimit(byAccount),
    countRefused: byAddress(requestsPerMinute, 'addressRateLimited'),
    countRefusedLogin: byAddress(refusedLogins, 'addressRateLimited', 10 * MINUTE_MS),
    countUnknown: byAddress(unknownPagesPerMinute, 'pageRateLimited'),
  };
}
