import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '#contract/shared/limits.ts';
import { type Device, DIRECT_REFERRER, OTHER_VALUE } from '#contract/shared/visits.ts';
import type { PageView } from '#server/features/visitors/visit-counter.ts';

type VisitRequest = Pick<FastifyRequest, 'method' | 'headers' | 'url'>;
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

export function viewOf(
  { headers, url }: VisitRequest,
  countryHeader: string | undefined,
): PageView {
  const tags = campaignTags(url);
  return {
    referrer: referrerOf(headers),
    device: deviceOf(headers),
    country: countryHeader === undefined ? undefined : parseCountry(headers[countryHeader]),
    source: normalizeTag(tags.get('utm_source')) ?? normalizeTag(tags.get('ref')),
    campaign: normalizeTag(tags.get('utm_campaign')),
  };
}

const CAMPAIGN_TAGS = new Set(['utm_source', 'utm_campaign', 'ref']);

/** The query parameters that are counted. Redirects keep them, and drop others. */
export function campaignTags(url: string): URLSearchParams {
  const start = url.indexOf('?');
  if (start < 0) return new URLSearchParams();
  const parameters = [...new URLSearchParams(url.slice(start))];
  return new URLSearchParams(parameters.filter(([name]) => CAMPAIGN_TAGS.has(name)));
}

/** Matches no email address, and nothing that a spreadsheet would run as a formula. */
const TAG_PATTERN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._,:;&+/|#!-]*$/u;

function normalizeTag(value: string | null): string | undefined {
  const tag = (value ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (tag === '') return undefined;
  return tag.length <= LIMITS.campaignTag && TAG_PATTERN.test(tag) ? tag : OTHER_VALUE;
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
