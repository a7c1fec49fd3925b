import { domainToASCII } from 'node:url';
import { type Html, html } from './html.ts';

/** Appends the real host if the text names another one, so that a link cannot mislead. */
export function linkText(text: string, target: string): Html | string {
  const host = hostIfMisleading(text, target);
  // Isolate the text, so that its bidirectional control characters cannot reorder the host.
  return host === undefined ? text : html`<bdi>${text}</bdi>${hostSuffix(host)}`;
}

export function hostSuffix(host: string): string {
  return `\u00A0(${host})`;
}

/** To render pages with many long links quickly, longer texts are not searched and get the host. */
const MAX_SEARCHED_LENGTH = 500;

/** A URL without a dot after its host, so it cannot contain another host name. */
const SINGLE_HOST_URL = /^https?:\/\/[a-z0-9.-]+(?:[/?#:][^.]*)?$/;

/** Returns the host of the URL if the text seems to name another one or is too long to search. */
export function hostIfMisleading(text: string, target: string): string | undefined {
  if (text === target && SINGLE_HOST_URL.test(text)) return undefined;
  const hosts = text.length <= MAX_SEARCHED_LENGTH ? findHosts(text) : undefined;
  if (hosts?.length === 0) return undefined;
  const { protocol, hostname, pathname } = new URL(target);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  const separator = protocol === 'matrix:' ? ':' : '@';
  const host = isHttp
    ? hostname
    : pathname.slice(pathname.lastIndexOf(separator) + 1).toLowerCase();
  return hosts?.every((namedHost) => isSameHost(namedHost, host)) ? undefined : host;
}

/** Returns everything that looks like a host name, in its ASCII form. */
function findHosts(text: string): string[] {
  // Remove invisible characters and unify lookalike forms.
  const normalized = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/。/g, '.')
    .toLowerCase();
  if (!normalized.includes('.')) return [];
  return normalized
    .split(/[^\p{L}\p{M}\p{N}.-]+/u)
    .map((word) => word.replace(/^[.-]+|(?<![.-])[.-]+$/g, ''))
    .filter((word) => /\.(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/u.test(word))
    .map((word) => (/^[a-z0-9.-]+$/.test(word) ? word : domainToASCII(word)));
}

/** Treats subdomains, such as `www.`, as the same host. */
function isSameHost(a: string, b: string): boolean {
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}
