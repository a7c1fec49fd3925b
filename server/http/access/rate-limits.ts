import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import {
  RATE_LIMIT_REFUSALS,
  LOGIN_LINK_REFUSALS,
  SIGN_UP_RATE_REFUSALS,
} from '#contract/request-refusals.ts';
import { waiting } from '#server/limits/allowances/waiting.ts';
import { networkOf } from './address.ts';
import { callerOf } from './caller.ts';
import { PAGE_REFUSALS } from '../answers/refusals.ts';
import { type RefusalError, refuserOf } from '#server/refusal.ts';

/**
 * IPv6 prefixes with a limit of their own, as a multiple of the limit of a /64, because providers give one
 * customer a whole /56 or /48. For IPv4 all three count the same address, so only the first matters.
 */
const PREFIXES = [
  { bits: 64, times: 1 },
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
];

/** How many times the limit of unknown pages a network may reach before it gets no pages at all. */
const FAR_BEYOND = 5;

const refuse = refuserOf({
  ...RATE_LIMIT_REFUSALS,
  ...LOGIN_LINK_REFUSALS,
  ...SIGN_UP_RATE_REFUSALS,
  ...PAGE_REFUSALS,
});

/** Limits that the operator sets. */
export interface Limits {
  /** Requests of one account, and refused ones of one address, in a minute; 0 for no limit. */
  requestsPerMinute: number;
  /** Refused logins from one address in ten minutes; 0, the default, for no limit. */
  refusedLogins?: number;
  /** Single sign-ons that one address begins in a minute; 0, the default, for no limit. */
  signOnsPerMinute?: number;
  /** Requests for missing pages from one address in a minute; 0, the default, for no limit. */
  unknownPagesPerMinute?: number;
  /** Clicks from one address that are counted in a minute; 0, the default, for no limit. */
  clicksPerMinute?: number;
  /** Names that one address may check in a minute, to sign up; 0, the default, for no limit. */
  nameChecksPerMinute?: number;
  /** Accounts that one address may ask for in a day; 0, the default, for no limit. */
  registrationsPerDay?: number;
  /** Reports of pages from one network in an hour; 0, the default, for no limit. */
  reportsPerHour?: number;
  /** Reports of one page from one network in a day; 0, the default, for no limit. */
  pageReportsPerDay?: number;
  /** Counted views of one page from one network in an hour; 0, the default, for no limit. */
  pageViewsPerHour?: number;
}

/** A limit on what the addresses of one network ask for. */
interface NetworkLimit {
  /** Counts a request, separately for each page if `pageOf` is given. Returns a refusal above the limit. */
  count: (request: FastifyRequest, pageOf?: string) => Promise<RefusalError | undefined>;
  /** Refuses a request, without counting it, of a network that went far enough beyond the limit. */
  check: (request: FastifyRequest) => Promise<RefusalError | undefined>;
}

const NO_LIMIT: NetworkLimit = {
  count: () => Promise.resolve(undefined),
  check: () => Promise.resolve(undefined),
};

/** Counters of requests, shared by all entry points. */
export interface Rates {
  /** Lets every account make so many requests a minute, with all of its keys together; undefined without a limit. */
  limitAccount: onRequestAsyncHookHandler | undefined;
  /** Requests whose key, link or cookie lets nobody in. */
  refused: NetworkLimit;
  refusedLogins: NetworkLimit;
  /** Requests for login links by mail, whatever they are answered. */
  linkRequests: NetworkLimit;
  /** Single sign-ons that are begun. */
  signOns: NetworkLimit;
  /** Requests for pages that there are not. */
  unknownPages: NetworkLimit;
  /** Clicks on links of pages. */
  clicks: NetworkLimit;
  /** Names that somebody who signs up would like. */
  nameChecks: NetworkLimit;
  /** Accounts that are asked for, whatever becomes of them. */
  registrations: NetworkLimit;
  /** Reports of pages. */
  reports: NetworkLimit;
  /** Reports of one page. */
  pageReports: NetworkLimit;
  /** Views of one page. */
  pageViews: NetworkLimit;
}

/** Begins to count. */
export async function limitRates(app: FastifyInstance, limits: Limits): Promise<Rates> {
  const {
    requestsPerMinute,
    refusedLogins = 0,
    unknownPagesPerMinute = 0,
    clicksPerMinute = 0,
    signOnsPerMinute = 0,
    reportsPerHour = 0,
    pageReportsPerDay = 0,
    pageViewsPerHour = 0,
  } = limits;
  const { nameChecksPerMinute = 0, registrationsPerDay = 0 } = limits;
  await app.register(rateLimit, { global: false, timeWindow: MINUTE_MS });
  const ofNetwork = (
    max: number,
    code:
      | 'addressRateLimited'
      | 'linkRateLimited'
      | 'pageRateLimited'
      | 'reportRateLimited'
      | keyof typeof SIGN_UP_RATE_REFUSALS,
    { timeWindow = MINUTE_MS, checkedFrom = max } = {},
  ): NetworkLimit => {
    if (max === 0) return NO_LIMIT;
    // The key generator gets only the request, so the page is looked up here.
    const pages = new WeakMap<FastifyRequest, string>();
    const counters = PREFIXES.map(({ bits, times }) =>
      app.createRateLimit({
        max: max * times,
        timeWindow,
        ban: (checkedFrom - max) * times,
        keyGenerator: (request) => `${networkOf(request, bits)} ${pages.get(request) ?? ''}`,
      }),
    );
    // `check` reads counters only while a network is banned.
    let checkedUntil = 0;
    return {
      count: async (request, pageOf) => {
        if (pageOf !== undefined) pages.set(request, pageOf);
        // Stop at the first exceeded limit, so that a blocked /64 does not use up the /56 and /48 it shares with others.
        for (const counter of counters) {
          const counted = await counter(request);
          if (counted.isAllowed || !counted.isExceeded) continue;
          if (counted.isBanned) checkedUntil = Math.max(checkedUntil, Date.now() + counted.ttl);
          return refuse(code, waiting(counted.ttl));
        }
        return undefined;
      },
      check: async (request) => {
        if (Date.now() >= checkedUntil) return undefined;
        for (const counter of counters) {
          const counted = await counter(request, { increment: false });
          if (!counted.isAllowed && counted.isBanned) return refuse(code, waiting(counted.ttl));
        }
        return undefined;
      },
    };
  };
  const byAccount = {
    max: requestsPerMinute,
    keyGenerator: (request: FastifyRequest) => callerOf(request).accountId,
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
      refuse('rateLimited', waiting(ttl)),
  };
  const tenMinutes = { timeWindow: 10 * MINUTE_MS };
  return {
    limitAccount: requestsPerMinute === 0 ? undefined : app.rateLimit(byAccount),
    refused: ofNetwork(requestsPerMinute, 'addressRateLimited'),
    refusedLogins: ofNetwork(refusedLogins, 'addressRateLimited', tenMinutes),
    linkRequests: ofNetwork(refusedLogins, 'linkRateLimited', tenMinutes),
    signOns: ofNetwork(signOnsPerMinute, 'addressRateLimited'),
    unknownPages: ofNetwork(unknownPagesPerMinute, 'pageRateLimited', {
      checkedFrom: FAR_BEYOND * unknownPagesPerMinute,
    }),
    clicks: ofNetwork(clicksPerMinute, 'addressRateLimited'),
    nameChecks: ofNetwork(nameChecksPerMinute, 'nameCheckRateLimited'),
    registrations: ofNetwork(registrationsPerDay, 'registrationRateLimited', {
      timeWindow: DAY_MS,
    }),
    reports: ofNetwork(reportsPerHour, 'reportRateLimited', { timeWindow: HOUR_MS }),
    pageReports: ofNetwork(pageReportsPerDay, 'reportRateLimited', { timeWindow: DAY_MS }),
    pageViews: ofNetwork(pageViewsPerHour, 'addressRateLimited', { timeWindow: HOUR_MS }),
  };
}
