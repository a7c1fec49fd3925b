import { isIPv6 } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { EVERY_REQUEST } from '../../contract/request-refusals.ts';
import { waiting } from '../service/allowances/waiting.ts';
import { addressOf } from './address.ts';
import { callerOf } from './caller.ts';
import { type RefusalError, refuserOf } from '../service/refusal.ts';

const MINUTE_MS = 60_000;

const refuse = refuserOf(EVERY_REQUEST);

/**
 * Lets every account make so many requests a minute, with all of its keys together. Returns how to
 * count a request with a key that lets nobody in against its address: it says if they are too many.
 */
export async function limitRates(
  api: FastifyInstance,
  requestsPerMinute: number,
): Promise<(request: FastifyRequest) => Promise<RefusalError | undefined>> {
  await api.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => callerOf(request).accountId,
    errorResponseBuilder: (_request, { ttl }) => refuse('rateLimited', waiting(ttl)),
  });
  const count = api.createRateLimit({ keyGenerator: (request) => networkOf(addressOf(request)) });
  return async (request) => {
    const counted = await count(request);
    return !counted.isAllowed && counted.isExceeded
      ? refuse('addressLimited', waiting(counted.ttl))
      : undefined;
  };
}

/** Whoever has an IPv6 address has the 2^64 of its network, too. */
function networkOf(address = ''): string {
  return isIPv6(address) ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString() : address;
}
