import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { type Device, DIRECT_REFERRER, OTHER_VALUE } from '#contract/visits.ts';
import type { View } from '#server/features/visitors/visit-counts.ts';

type Request = Pick<FastifyRequest, 'method' | 'headers'>;
type Headers = Request['headers'];

/** Part of a program's name that is read, in characters. */
const CHARACTERS = 512;
/** Programs that are remembered: to look at a name takes longer than to answer. */
const people = new LRUCache<string, boolean>({ max: 1_000 });

/**
 * Whether somebody opens a page: with a browser, which neither looks ahead nor asks for a part of
 * another page. Who has the page already and hears that it is the same opens it, too.
 */
export function isVisit({ method, headers }: Request): boolean {
  if (method !== 'GET') return false;
  const purpose = [headers['sec-purpose'], headers['purpose'], headers['x-moz']].join(' ');
  if (/prefetch|prerender|preview/i.test(purpose)) return false;
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined && destination !== 'document') return false;
  return isPerson(headers);
}

/** Whether a request names a browser, not a bot. */
export function isPerson(headers: Headers): boolean {
  const agent = agentOf(headers);
  if (!agent) return false;
  const known = people.get(agent);
  if (known !== undefined) return known;
  const found = !isbot(agent);
  people.set(agent, found);
  return found;
}

function agentOf(headers: Headers): string | undefined {
  return headers['user-agent']?.slice(0, CHARACTERS);
}

/** Facts of a view that are counted: from which host it came, on which class of device, from which country. */
export function viewOf({ headers }: Request, countryHeader: string | undefined): View {
  return {
    referrer: referrerOf(headers),
    device: deviceOf(headers),
    country: countryHeader === undefined ? undefined : countryIn(headers[countryHeader]),
  };
}

/** A host name as the web knows it. Spreadsheets take it for nothing else. */
const HOST = /^[a-z\d][a-z\d-]*(?:\.[a-z\d-]+)+$/;
const HOST_CHARACTERS = 253;

function referrerOf({ referer, host, 'sec-fetch-site': site }: Headers): string | undefined {
  // Our own pages name no referrer.
  if (site === 'same-origin') return undefined;
  const url = referer === undefined ? undefined : URL.parse(referer);
  if (!url || !/^https?:$/.test(url.protocol)) return DIRECT_REFERRER;
  if (url.host === host?.toLowerCase()) return undefined;
  const name = url.hostname.replace(/^www\./, '');
  return name.length <= HOST_CHARACTERS && HOST.test(name) ? name : OTHER_VALUE;
}

/** Tablets name no mobile browser, or themselves. Those that pass for computers count as such. */
function deviceOf(headers: Headers): Device {
  const agent = agentOf(headers) ?? '';
  if (/ipad|tablet|kindle|silk\/|android(?!.*mobile)/i.test(agent)) return 'tablet';
  return headers['sec-ch-ua-mobile'] === '?1' || /mobi|iphone|ipod/i.test(agent)
    ? 'phone'
    : 'desktop';
}

/** Codes of proxies for addresses of no country: unknown ones, and those of Tor. */
const NO_COUNTRY = new Set(['XX', 'ZZ', 'T1']);

function countryIn(value: string | string[] | undefined): string {
  const code = String(value).trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) ? code : OTHER_VALUE;
}
