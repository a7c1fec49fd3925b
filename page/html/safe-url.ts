import { toHttps } from '#contract/shared/pictures.ts';
import { CONTACT_SCHEMES, isContactUrl } from '#contract/shared/web-url.ts';

const WEB_PROTOCOLS = ['http:', 'https:'];
const LINK_PROTOCOLS = [...WEB_PROTOCOLS, ...CONTACT_SCHEMES.map((scheme) => `${scheme}:`)];

/** Tells search engines that the service does not endorse the links of owners. */
export const EXTERNAL_REL = 'nofollow ugc noopener';

/** Returns a URL for `href`, or undefined if it is not allowed. */
export function safeLinkUrl(value: unknown): string | undefined {
  const url = safeUrl(value, LINK_PROTOCOLS);
  const isValid = url !== undefined && (/^(?:https?|mailto|tel):/.test(url) || isContactUrl(url));
  return isValid ? url : undefined;
}

/** Returns an http or https URL, or undefined if it is not allowed. */
export function safeWebUrl(value: unknown): string | undefined {
  return safeUrl(value, WEB_PROTOCOLS);
}

export function safePictureUrl(value: unknown): string | undefined {
  const url = safeWebUrl(value);
  return url && toHttps(url);
}

function safeUrl(value: unknown, schemes: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const url = URL.parse(value);
  if (!url || !schemes.includes(url.protocol) || url.username || url.password) return undefined;
  // RFC 3986 does not allow these characters, but the parser leaves some of them unescaped.
  return url.href.replace(/["<>\\^`{|}]/g, encodeURIComponent);
}
