/** An absolute `http` or `https` URL without credentials. International characters are allowed. */
const WEB_URL_PATTERN =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:[^\p{C}\s/?#@\\:[\]<>^|%"`{}]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][^\p{C}\s\\<>^|"`{}]*)?$/u;

const ANY_TEXT = String.raw`[^\p{C}\s\\<>^|"\u0060\{\}]+`;
const ENCODED = '%[0-9A-Fa-f]{2}';
const DOMAIN = '[A-Za-z0-9](?:[A-Za-z0-9.\\-]{0,251}[A-Za-z0-9])?';
const LATITUDE = String.raw`-?(?:90(?:\.0+)?|[1-8]?[0-9](?:\.[0-9]+)?)`;
const LONGITUDE = String.raw`-?(?:180(?:\.0+)?|(?:1[0-7][0-9]|[1-9]?[0-9])(?:\.[0-9]+)?)`;

/**
 * Patterns of contact URLs without the scheme: `sms:` (RFC 5724) with one number and an optional
 * text, `xmpp:` (RFC 5122) with a bare JID, `matrix:` (MSC2312) with a user or a room alias, and
 * `geo:` (RFC 5870) with latitude, longitude and an optional zoom.
 */
const STRICT_CONTACT_PATTERNS = {
  sms: String.raw`\+?[0-9](?:[0-9.\(\)\-]{0,30}[0-9])?(?:\?body=(?:[A-Za-z0-9._~!*+,:@\-]|${ENCODED})*)?`,
  xmpp: String.raw`(?:[A-Za-z0-9._~+\-]|${ENCODED})+@${DOMAIN}(?:\?(?:join|message))?`,
  matrix: String.raw`[ur]/(?:[A-Za-z0-9._~=+\-]|${ENCODED})+:${DOMAIN}(?:\?action=(?:chat|join))?`,
  geo: `${LATITUDE},${LONGITUDE}(?:\\?z=[0-9]{1,2})?`,
};

const CONTACT_PATTERNS = new Map(
  Object.entries({ mailto: ANY_TEXT, tel: ANY_TEXT, ...STRICT_CONTACT_PATTERNS }).map(
    ([scheme, pattern]) => [scheme, new RegExp(`^(?:${pattern})$`, 'u')] as const,
  ),
);

export const CONTACT_SCHEMES: readonly string[] = [...CONTACT_PATTERNS.keys()];

/** RFC 1035: 1 to 63 characters. A host `http` comes from a scheme that was pasted twice. */
const HOST_PATTERN = /^(?!https?$)[^.]{1,63}(?:\.[^.]{1,63})*\.?$/;

/** Whether a page may load or link to the URL. */
export function isWebUrl(text: string): boolean {
  const { hostname } = (WEB_URL_PATTERN.test(text) && URL.parse(text)) || {};
  return hostname !== undefined && hostname.length <= 254 && HOST_PATTERN.test(hostname);
}

/** Whether the text is a `mailto:`, `tel:`, `sms:`, `xmpp:`, `matrix:` or `geo:` URL. */
export function isContactUrl(text: string): boolean {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/is.exec(text) ?? [];
  return CONTACT_PATTERNS.get(scheme.toLowerCase())?.test(rest) ?? false;
}

/** `contact` is a URL or an email address. */
export function contactUrl(contact: string): string {
  return isHttpUrl(contact) ? contact : `mailto:${contact}`;
}

export function contactEmail(contact: string | null): string | null {
  return contact !== null && isHttpUrl(contact) ? null : contact;
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Shortens a URL for display: without scheme, `www.` and final separators. */
export function displayUrl(url: string): string {
  if (/^(?:sms|xmpp|geo|matrix):/i.test(url))
    return url
      .replace(/^matrix:u\//i, '@')
      .replace(/^matrix:r\//i, '#')
      .replace(/^\w+:|\?.*/gs, '');
  return url
    .replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/i, '')
    .replace(/(?<![/?#])[/?#]+$/, '');
}
