/** An absolute `http` or `https` URL without credentials. International characters are allowed. */
const WEB_URL_PATTERN =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:[^\p{C}\s/?#@\\:[\]<>^|%"`{}]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][^\p{C}\s\\<>^|"`{}]*)?$/u;

const CONTACT_URL_PATTERN = /^(?:[Mm][Aa][Ii][Ll][Tt][Oo]|[Tt][Ee][Ll]):[^\p{C}\s\\<>^|"`{}]+$/u;

/** Whether a page may load or link to the URL. */
export function isWebUrl(text: string): boolean {
  return WEB_URL_PATTERN.test(text) && URL.canParse(text);
}

/** Whether the URL is a `mailto:` or `tel:` URL. */
export function isContactUrl(text: string): boolean {
  return CONTACT_URL_PATTERN.test(text);
}
