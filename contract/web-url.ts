/** An absolute `http` or `https` URL without credentials, of characters that a URL may hold or other letters. */
const WEB_URL =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:[^\p{C}\s/?#@\\:[\]<>^|%"`{}]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][^\p{C}\s\\<>^|"`{}]*)?$/u;

/** Whether a text is a URL that a page may load or link to: well-formed beyond what a pattern can say. */
export function isWebUrl(text: string): boolean {
  return WEB_URL.test(text) && URL.canParse(text);
}
