const WEB_PROTOCOLS = ['http:', 'https:'];
const LINK_PROTOCOLS = [...WEB_PROTOCOLS, 'mailto:', 'tel:'];

/**
 * Relation of a link elsewhere to the page, for search engines: written by an owner, and no word of who
 * runs the service.
 */
export const EXTERNAL_REL = 'nofollow ugc noopener';

/** Where a link may lead, as it is written to `href`; undefined if it leads nowhere that is allowed. */
export function safeLinkUrl(value: unknown): string | undefined {
  return safeUrl(value, LINK_PROTOCOLS);
}

/** Address that a page may load or show, as it is written to `src`. */
export function safeWebUrl(value: unknown): string | undefined {
  return safeUrl(value, WEB_PROTOCOLS);
}

/** Address that a page loads, as it is written to `src`: over TLS, since its policy allows nothing else. */
export function safePictureUrl(value: unknown): string | undefined {
  return safeWebUrl(value)?.replace(/^http:/, 'https:');
}

/** Where whoever runs the service is told of something: at a URL, or by mail. */
export function contactUrl(contact: string): string {
  return /^https?:\/\//i.test(contact) ? contact : `mailto:${contact}`;
}

function safeUrl(value: unknown, schemes: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const url = URL.parse(value);
  if (!url || !schemes.includes(url.protocol) || url.username || url.password) return undefined;
  // RFC 3986 knows no such characters; the parser leaves some of them as they are.
  return url.href.replace(/["<>\\^`{|}]/g, encodeURIComponent);
}
