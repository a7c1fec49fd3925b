import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import {
  ACCOUNT_REQUEST_REFUSALS,
  LOGIN_LINK_REFUSALS,
  SIGN_UP_RATE_REFUSALS,
} from '#contract/request-refusals.ts';
import { retryAfter } from '#server/limits/allowances/retry-after.ts';
import { clientNetwork } from './client-address.ts';
import { requireCaller } from './caller.ts';
import { PAGE_REFUSALS } from '../responses/refusals.ts';
import { type RefusalError, createRefuser } from '#server/refusal.ts';
import type { Config } from '#server/settings/config.ts';

/**
 * Larger IPv6 networks have their own limits, because providers give one customer a whole /56 or
 * /48. For IPv4 all three count the same address, so only the first matters.
 */
const IPV6_PREFIXES = [
  { bits: 64, limitFactor: 1 },
  { bits: 56, limitFactor: 4 },
  { bits: 48, limitFactor: 16 },
];

/** A network is banned from all pages at this multiple of the limit for missing pages. */
const PAGE_BAN_FACTOR = 5;

const refuse = createRefuser({
  ...ACCOUNT_REQUEST_REFUSALS,
  ...LOGIN_LINK_REFUSALS,
  ...SIGN_UP_RATE_REFUSALS,
  ...PAGE_REFUSALS,
});

/**
 * 0 or undefined means no limit. Limits are per network (an IPv4 address or an IPv6 /64), unless
 * noted otherwise.
 */
export interface RateLimitOptions {
  /** Per account. Requests with rejected credentials count per network. */
  requestsPerMinute: number;
  /** Per 10 minutes. Applies separately to requests for login links. */
  refusedLogins?: number;
  signOnsPerMinute?: number;
  missingPagesPerMinute?: number;
  /** Clicks above the limit are not counted. */
  clicksPerMinute?: number;
  nameChecksPerMinute?: number;
  signUpsPerDay?: number;
  reportsPerHour?: number;
  /** Per page and network. */
  pageReportsPerDay?: number;
  messagesPerHour?: number;
  /** Per page and network. */
  pageMessagesPerDay?: number;
  /** Per page and network. Views above the limit are not counted. */
  pageViewsPerHour?: number;
}

/** Limits that no setting changes. */
const FIXED_LIMITS = {
  refusedLogins: 10,
  /** High, because many people can share one address. */
  signOnsPerMinute: 60,
  /** Prevents guessing display names. */
  missingPagesPerMinute: 200,
  /** A whole school class may share one network. */
  clicksPerMinute: 300,
  /** Enough for a fast typist. */
  nameChecksPerMinute: 60,
  reportsPerHour: 10,
  /** Enough for a correction, but too few to hide reports by others. */
  pageReportsPerDay: 3,
  /** People behind one address share it, and the owner's mailbox is limited, too. */
  messagesPerHour: 5,
  pageMessagesPerDay: 10,
  pageViewsPerHour: 30,
};

export function rateLimitsFromConfig(config: Config): RateLimitOptions {
  return {
    ...FIXED_LIMITS,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    signUpsPerDay: config.REGISTRATIONS_PER_DAY,
  };
}

interface NetworkLimit {
  /**
   * Counts a request, separately for each `page` if given. Resolves to a refusal above the limit.
   */
  count: (request: FastifyRequest, page?: string) => Promise<RefusalError | undefined>;
  /** Resolves to a refusal if the network is banned. Does not count the request. */
  check: (request: FastifyRequest) => Promise<RefusalError | undefined>;
}

const NO_LIMIT: NetworkLimit = {
  count: () => Promise.resolve(undefined),
  check: () => Promise.resolve(undefined),
};

export interface RateLimits {
  /** Counts an account's requests with any key or session. Undefined if there is no limit. */
  accountLimitHook: onRequestAsyncHookHandler | undefined;
  rejectedCredentials: NetworkLimit;
  refusedLogins: NetworkLimit;
  linkRequests: NetworkLimit;
  signOns: NetworkLimit;
  missingPages: NetworkLimit;
  clicks: NetworkLimit;
  nameChecks: NetworkLimit;
  /** Counted even if the sign-up is not completed. */
  signUps: NetworkLimit;
  reports: NetworkLimit;
  pageReports: NetworkLimit;
  messages: NetworkLimit;
  pageMessages: NetworkLimit;
  pageViews: NetworkLimit;
}

export async function createRateLimits(
  server: FastifyInstance,
  options: RateLimitOptions,
): Promise<RateLimits> {
  const {
    requestsPerMinute,
    refusedLogins = 0,
    missingPagesPerMinute = 0,
    clicksPerMinute = 0,
    signOnsPerMinute = 0,
    reportsPerHour = 0,
    pageReportsPerDay = 0,
    pageViewsPerHour = 0,
  } = options;
  const { nameChecksPerMinute = 0, signUpsPerDay = 0 } = options;
  const { messagesPerHour = 0, pageMessagesPerDay = 0 } = options;
  await server.register(rateLimit, { global: false, timeWindow: MINUTE_MS });
  const createNetworkLimit = (
    max: number,
    code:
      | 'addressRateLimited'
      | 'linkRateLimited'
      | 'pageRateLimited'
      | 'reportRateLimited'
      | 'messageRateLimited'
      | keyof typeof SIGN_UP_RATE_REFUSALS,
    { timeWindow = MINUTE_MS, banFrom = max } = {},
  ): NetworkLimit => {
    if (max === 0) return NO_LIMIT;
    // `keyGenerator` gets only the request, so it looks up the page here.
    const pageByRequest = new WeakMap<FastifyRequest, string>();
    const counters = IPV6_PREFIXES.map(({ bits, limitFactor }) =>
      server.createRateLimit({
        max: max * limitFactor,
        timeWindow,
        ban: (banFrom - max) * limitFactor,
        keyGenerator: (request) =>
          `${clientNetwork(request, bits)} ${pageByRequest.get(request) ?? ''}`,
      }),
    );
    // Lets `check` skip the counters while no network is banned.
    let bannedUntil = 0;
    return {
      count: async (request, page) => {
        if (page !== undefined) pageByRequest.set(request, page);
        // Stop at the first exceeded limit, so that a blocked /64 does not use up the limits of the
        // /56 and /48 that it shares with other clients.
        for (const counter of counters) {
          const result = await counter(request);
          if (result.isAllowed || !result.isExceeded) continue;
          if (result.isBanned) bannedUntil = Math.max(bannedUntil, Date.now() + result.ttl);
          return refuse(code, retryAfter(result.ttl));
        }
        return undefined;
      },
      check: async (request) => {
        if (Date.now() >= bannedUntil) return undefined;
        for (const counter of counters) {
          const result = await counter(request, { increment: false });
          if (!result.isAllowed && result.isBanned) return refuse(code, retryAfter(result.ttl));
        }
        return undefined;
      },
    };
  };
  const accountLimit = {
    max: requestsPerMinute,
    keyGenerator: (request: FastifyRequest) => requireCaller(request).accountId,
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
      refuse('rateLimited', retryAfter(ttl)),
  };
  const tenMinutes = { timeWindow: 10 * MINUTE_MS };
  return {
    accountLimitHook: requestsPerMinute === 0 ? undefined : server.rateLimit(accountLimit),
    rejectedCredentials: createNetworkLimit(requestsPerMinute, 'addressRateLimited'),
    refusedLogins: createNetworkLimit(refusedLogins, 'addressRateLimited', tenMinutes),
    linkRequests: createNetworkLimit(refusedLogins, 'linkRateLimited', tenMinutes),
    signOns: createNetworkLimit(signOnsPerMinute, 'addressRateLimited'),
    missingPages: createNetworkLimit(missingPagesPerMinute, 'pageRateLimited', {
      banFrom: PAGE_BAN_FACTOR * missingPagesPerMinute,
    }),
    clicks: createNetworkLimit(clicksPerMinute, 'addressRateLimited'),
    nameChecks: createNetworkLimit(nameChecksPerMinute, 'nameCheckRateLimited'),
    signUps: createNetworkLimit(signUpsPerDay, 'registrationRateLimited', {
      timeWindow: DAY_MS,
    }),
    reports: createNetworkLimit(reportsPerHour, 'reportRateLimited', { timeWindow: HOUR_MS }),
    pageReports: createNetworkLimit(pageReportsPerDay, 'reportRateLimited', { timeWindow: DAY_MS }),
    messages: createNetworkLimit(messagesPerHour, 'messageRateLimited', { timeWindow: HOUR_MS }),
    pageMessages: createNetworkLimit(pageMessagesPerDay, 'messageRateLimited', {
      timeWindow: DAY_MS,
    }),
    pageViews: createNetworkLimit(pageViewsPerHour, 'addressRateLimited', { timeWindow: HOUR_MS }),
  };
}
