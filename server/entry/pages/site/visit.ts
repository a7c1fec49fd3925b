import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { type Device, DIRECT_REFERRER, OTHER_VALUE } from '#contract/shared/visits.ts';
import type { PageView } from '#server/features/visitors/visit-counter.ts';

type VisitRequest = Pick<FastifyRequest, 'method' | 'headers'>;
type Headers = VisitRequest['headers'];

const MAX_USER_AGENT_LENGTH = 512;
/** Checking a user agent takes longer than sending a cached page. */
const browserCache = new LRUCache<string, boolean>({ max: 1_000 });

/** Excludes prefetches, embeds and bots. Requests that are answered with 304 count. */
export function isVisit({ method, headers }: VisitRequest): boolean {
  if (method !== 'GET') return false;
  const purpose = [headers['sec-purpose'], headers['purpose'], headers['x-moz']].join(' ');
  if (/prefetch|prerender|preview/i.test(purpose)) return false;
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined && destination !== 'document') return false;
  return isBrowser(headers);
}

export function isBrowser(headers: Headers): boolean {
  const agent = userAgentOf(headers);
  if (!agent) return false;
  const cached = browserCache.get(agent);
  if (cached !== undefined) return cached;
  const isHuman = !isbot(agent);
  browserCache.set(agent, isHuman);
  return isHuman;
}

function userAgentOf(headers: Headers): string | undefined {
  return headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH);
}

export function viewOf({ headers }: VisitRequest, countryHeader: string | undefined): PageView {
  return {
    referrer: referrerOf(headers),
    device: deviceOf(headers),
    country: countryHeader === undefined ? undefined : parseCountry(headers[countryHeader]),
  };
}

/** Matches nothing that a spreadsheet would run as a formula. */
const HOST_PATTERN = /^[a-z\d][a-z\d-]*(?:\.[a-z\d-]+)+$/;
const MAX_HOST_LENGTH = 253;

function referrerOf({ referer, host, 'sec-fetch-site': site }: Headers): string | undefined {
  // Links between our own pages do not count as referrers.
  if (site === 'same-origin') return undefined;
  const url = referer === undefined ? undefined : URL.parse(referer);
  if (!url || !/^https?:$/.test(url.protocol)) return DIRECT_REFERRER;
  if (url.host === host?.toLowerCase()) return undefined;
  const name = url.hostname.replace(/^www\./, '');
  return name.length <= MAX_HOST_LENGTH && HOST_PATTERN.test(name) ? name : OTHER_VALUE;
}

/**
 * Android tablets omit `Mobile` in their user agent. Tablets that pretend to be computers count as
 * such.
 */
function deviceOf(headers: Headers): Device {
  const agent = userAgentOf(headers) ?? '';
  if (/ipad|tablet|kindle|silk\/|android(?!.*mobile)/i.test(agent)) return 'tablet';
  return headers['sec-ch-ua-mobile'] === '?1' || /mobi|iphone|ipod/i.test(agent)
    ? 'phone'
    : 'desktop';
}

/** Codes that proxies send for unknown countries and for Tor. */
const UNKNOWN_COUNTRIES = new Set(['XX', 'ZZ', 'T1']);

function parseCountry(value: string | string[] | undefined): string {
  const code = String(value).trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && !UNKNOWN_COUNTRIES.has(code) ? code : OTHER_VALUE;
}
