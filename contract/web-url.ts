/** An absolute `http` or `https` URL without credentials, of characters that a URL may hold or other letters. */
const WEB_URL =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:[^\p{C}\s/?#@\\:[\]<>^|%"`{}]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][^\p{C}\s\\<>^|"`{}]*)?$/u;

/** An address of mail or a telephone number, as a URL. */
const CONTACT_URL = /^(?:[Mm][Aa][Ii][Ll][Tt][Oo]|[Tt][Ee][Ll]):[^\p{C}\s\\<>^|"`{}]+$/u;

/** Whether a text is a URL that a page may load or link to: well-formed beyond what a pattern can say. */
export function isWebUrl(text: string): boolean {
  return WEB_URL.test(text) && URL.canParse(text);
}

/** Whether a text is a URL that writes a mail or calls somebody. */
export function isContactUrl(text: string): boolean {
  return CONTACT_URL.test(text);
}
