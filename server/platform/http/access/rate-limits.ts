import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ACCOUNT_REQUEST_REFUSALS,
  LOGIN_LINK_REFUSALS,
  SIGN_UP_RATE_REFUSALS,
} from '#contract/request-refusals.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { type RefusalError, createRefuser } from '#server/platform/refusal.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { PAGE_REFUSALS } from '../responses/refusals.ts';
import { requireCaller } from './caller.ts';
import { clientNetwork } from './client-address.ts';

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

const REFUSALS = {
  ...ACCOUNT_REQUEST_REFUSALS,
  ...LOGIN_LINK_REFUSALS,
  ...SIGN_UP_RATE_REFUSALS,
  ...PAGE_REFUSALS,
};
const refuse = createRefuser(REFUSALS);

/**
 * Counters of each limit. Beyond them, the network or account that was seen longest ago starts again.
 * The type of the library lacks the option.
 */
const STORE_OPTIONS: object = { cache: 20_000 };

/** Limits that no setting changes. Per network (an IPv4 address or an IPv6 /64). */
const FIXED_LIMITS = {
  /** Per 10 minutes. Applies separately to requests for login links. */
  refusedLogins: 10,
  /** High, because many people can share one address. */
  signOnsPerMinute: 60,
  /** Only invalid logout tokens count: a provider may end many sessions at once. */
  refusedLogoutsPerMinute: 60,
  /** Prevents guessing display names. */
  missingPagesPerMinute: 200,
  /** A whole school class may share one network. Clicks above the limit are not counted. */
  clicksPerMinute: 300,
  /** Hosted AI clients register all their users from few addresses. */
  oauthRegistrationsPerHour: 100,
  /** Enough for a fast typist. */
  nameChecksPerMinute: 60,
  reportsPerHour: 10,
  /** Per network and page. Enough for a correction, but too few to hide reports by others. */
  pageReportsPerDay: 3,
  /** People behind one address share it, and the owner's mailbox is limited, too. */
  messagesPerHour: 5,
  /** Per network and page. */
  pageMessagesPerDay: 10,
  /** Per network and page. Views above the limit are not counted. */
  pageViewsPerHour: 30,
};

/** 0 or undefined means no limit. */
export type RateLimitOptions = Partial<Record<keyof typeof FIXED_LIMITS, number>> & {
  /** Per account. Requests with rejected credentials count per network. */
  requestsPerMinute: number;
  /** Sign-ups count even if they are not completed. */
  signUpsPerDay?: number;
};

export function rateLimitsFromConfig(config: Config): RateLimitOptions {
  return {
    ...FIXED_LIMITS,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    signUpsPerDay: config.REGISTRATIONS_PER_DAY,
  };
}

type NetworkRefusalCode = Extract<keyof typeof REFUSALS, `${string}RateLimited`>;

interface NetworkLimit {
  /** Counts a request, by page if its owner is given. Resolves to a refusal above the limit. */
  count: (request: FastifyRequest, pageOwnerId?: string) => Promise<RefusalError | undefined>;
  /** Resolves to a refusal if the network is banned. Does not count the request. */
  check: (request: FastifyRequest) => Promise<RefusalError | undefined>;
}

const NO_LIMIT: NetworkLimit = {
  count: () => Promise.resolve(undefined),
  check: () => Promise.resolve(undefined),
};

export type RateLimits = Awaited<ReturnType<typeof createRateLimits>>;

export async function createRateLimits(
  server: FastifyInstance,
  { requestsPerMinute, ...limits }: RateLimitOptions,
) {
  await server.register(rateLimit, { global: false, timeWindow: MINUTE_MS });
  const createNetworkLimit = (
    max = 0,
    code: NetworkRefusalCode = 'addressRateLimited',
    { timeWindow = MINUTE_MS, banFactor = 1 } = {},
  ): NetworkLimit => {
    if (max === 0) return NO_LIMIT;
    // `keyGenerator` gets only the request, so it looks up the owner of the page here.
    const pageOwnerIds = new WeakMap<FastifyRequest, string>();
    const counters = IPV6_PREFIXES.map(({ bits, limitFactor }) =>
      server.createRateLimit({
        max: max * limitFactor,
        timeWindow,
        ...STORE_OPTIONS,
        ban: max * (banFactor - 1) * limitFactor,
        keyGenerator: (request) =>
          `${clientNetwork(request, bits)} ${pageOwnerIds.get(request) ?? ''}`,
      }),
    );
    // Lets `check` skip the counters while no network is banned.
    let bannedUntil = 0;
    return {
      count: async (request, pageOwnerId) => {
        if (pageOwnerId !== undefined) pageOwnerIds.set(request, pageOwnerId);
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
  const countAccountRequest = server.createRateLimit({
    max: requestsPerMinute,
    ...STORE_OPTIONS,
    keyGenerator: (request) => {
      const { accountId, actorId, credential } = requireCaller(request);
      return credential.kind === 'session' ? actorId : accountId;
    },
  });
  /** Header fields of draft-ietf-httpapi-ratelimit-headers-11. */
  const limitAccount = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const result = await countAccountRequest(request);
    if (result.isAllowed) return;
    void reply.headers({
      'ratelimit-policy': `"account";q=${requestsPerMinute};w=${MINUTE_MS / 1_000}`,
      ratelimit: `"account";r=${result.remaining};t=${result.ttlInSeconds}`,
    });
    if (result.isExceeded) throw refuse('rateLimited', retryAfter(result.ttl));
  };
  const tenMinutes = { timeWindow: 10 * MINUTE_MS };
  const hour = { timeWindow: HOUR_MS };
  const day = { timeWindow: DAY_MS };
  return {
    /** Counts an account's requests with any key or session. Undefined if there is no limit. */
    accountLimitHook: requestsPerMinute === 0 ? undefined : limitAccount,
    rejectedCredentials: createNetworkLimit(requestsPerMinute),
    refusedLogins: createNetworkLimit(limits.refusedLogins, 'addressRateLimited', tenMinutes),
    linkRequests: createNetworkLimit(limits.refusedLogins, 'linkRateLimited', tenMinutes),
    signOns: createNetworkLimit(limits.signOnsPerMinute),
    refusedLogouts: createNetworkLimit(limits.refusedLogoutsPerMinute),
    missingPages: createNetworkLimit(limits.missingPagesPerMinute, 'pageRateLimited', {
      banFactor: PAGE_BAN_FACTOR,
    }),
    clicks: createNetworkLimit(limits.clicksPerMinute),
    nameChecks: createNetworkLimit(limits.nameChecksPerMinute, 'nameCheckRateLimited'),
    oauthRegistrations: createNetworkLimit(
      limits.oauthRegistrationsPerHour,
      'addressRateLimited',
      hour,
    ),
    signUps: createNetworkLimit(limits.signUpsPerDay, 'registrationRateLimited', day),
    reports: createNetworkLimit(limits.reportsPerHour, 'reportRateLimited', hour),
    pageReports: createNetworkLimit(limits.pageReportsPerDay, 'reportRateLimited', day),
    messages: createNetworkLimit(limits.messagesPerHour, 'messageRateLimited', hour),
    pageMessages: createNetworkLimit(limits.pageMessagesPerDay, 'messageRateLimited', day),
    pageViews: createNetworkLimit(limits.pageViewsPerHour, 'addressRateLimited', hour),
  };
}
