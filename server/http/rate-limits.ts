import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { EVERY_REQUEST } from '../../contract/request-refusals.ts';
import { waiting } from '../service/allowances/waiting.ts';
import { networkOf } from './address.ts';
import { callerOf } from './caller.ts';
import { type RefusalError, refuserOf } from '../service/refusal.ts';

const MINUTE_MS = 60_000;

const refuse = refuserOf(EVERY_REQUEST);

/** What is counted, for all doors together. */
export interface Rates {
  /** Lets every account make so many requests a minute, with all of its keys together; undefined without a limit. */
  limitAccount: onRequestAsyncHookHandler | undefined;
  /** Counts a request that lets nobody in against its address, and says if they are too many. */
  countRefused: (request: FastifyRequest) => Promise<RefusalError | undefined>;
}

/** Begins to count; 0 is no limit. */
export async function limitRates(app: FastifyInstance, requestsPerMinute: number): Promise<Rates> {
  if (requestsPerMinute === 0)
    return { limitAccount: undefined, countRefused: () => Promise.resolve(undefined) };
  await app.register(rateLimit, {
    global: false,
    max: requestsPerMinute,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => callerOf(request).accountId,
    errorResponseBuilder: (_request, { ttl }) => refuse('rateLimited', waiting(ttl)),
  });
  const count = app.createRateLimit({ keyGenerator: (request) => networkOf(request) ?? '' });
  return {
    limitAccount: app.rateLimit(),
    countRefused: async (request) => {
      const counted = await count(request);
      return !counted.isAllowed && counted.isExceeded
        ? refuse('addressLimited', waiting(counted.ttl))
        : undefined;
    },
  };
}
