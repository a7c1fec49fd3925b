/** An absolute `http` or `https` URL without credentials, white space or control characters. */
const WEB_URL =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:[^\p{C}\s/?#@\\:[\]<>^|%"`{}]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][^\p{C}\s]*)?$/u;

const label = '[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*';
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const host = `(?:(?:${label}\\.)*[A-Za-z](?:-?[A-Za-z0-9_])*|${octet}(?:\\.${octet}){3})`;
const port =
  '(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?';

// Letters of the most used scripts: ranges, because few tools know Unicode properties in a pattern.
const letters =
  '\\u00DF-\\u00F6\\u00F8-\\u017E\\u03B1-\\u03C9\\u0430-\\u045F\\u3041-\\u3096\\u30A1-\\u30FA\\u4E00-\\u9FA5\\uAC00-\\uD7A3';

/** Well-formed web URLs as the pattern of the OpenAPI document; rarer ones (an IPv6 or punycode host) are accepted beyond it. */
export const WEB_URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]?://${host}${port}(?:[/?#][!-~${letters}]*)?$`;

/** `mailto:` and `tel:` URLs as the pattern of the OpenAPI document. */
export const CONTACT_URL_PATTERN = `^(?:[Mm][Aa][Ii][Ll][Tt][Oo]|[Tt][Ee][Ll]):[!#-;=?-[\\]-~${letters}]+$`;

/** Whether a text is a URL that a page may load or link to: well-formed beyond what the pattern can say. */
export function isWebUrl(text: string): boolean {
  return WEB_URL.test(text) && URL.canParse(text);
}
