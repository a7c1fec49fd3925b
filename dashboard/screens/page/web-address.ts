import { LIMITS } from '#contract/shared/limits.ts';
import { CONTACT_SCHEMES, isWebUrl } from '#contract/shared/web-url.ts';
import { serviceName } from '#page/icons/service-hosts.ts';

export const MAX_ADDRESS_LENGTH = LIMITS.url;

const CONTACT = `(?:${CONTACT_SCHEMES.join('|')}):`;
const CONTACT_SCHEME = new RegExp(`^${CONTACT}`, 'i');
const DOUBLED_SCHEME = new RegExp(String.raw`^\s*(?:https?://)+(?=https?://|${CONTACT})`, 'i');

/**
 * Removes the first scheme of `https://https://…`, which results from pasting after a typed one.
 */
export function withoutDoubledScheme(input: string): string {
  return input.replace(DOUBLED_SCHEME, '');
}

/**
 * Adds `https://` or `mailto:` to a URL or email address without a scheme. Only trims other text.
 */
export function withScheme(input: string): string {
  const text = input.trim();
  // `name:` is a scheme unless a digit follows, as in `localhost:3000`.
  if (/^(?:[a-z][a-z\d+.-]*:\/\/|[a-z]+:\D)/i.test(text) || CONTACT_SCHEME.test(text)) return text;
  const withoutSlashes = text.replace(/^\/\//, '');
  if (/^[^\s@/?#]+@[^\s@/?#.]+\.[^\s@/?#]+$/.test(withoutSlashes))
    return `mailto:${withoutSlashes}`;
  const httpsUrl = `https://${withoutSlashes}`;
  return /^(?:[^/?#]+\.[^/?#]|localhost\b)/i.test(withoutSlashes) && isWebUrl(httpsUrl)
    ? httpsUrl
    : text;
}

/** Such as https://mastodon.social/@jane. Services such as YouTube have such paths, too. */
export function isFediverseProfile(address: string): boolean {
  const url = withScheme(address);
  if (!URL.canParse(url) || !['Mastodon', undefined].includes(serviceName(url))) return false;
  return /^\/(?:@|users\/)[\w.-]+\/?$/.test(new URL(url).pathname);
}
