/** The keys of the letters from A to Z, as on phones in North America. */
const LETTER_KEYS = '22233344455566677778889999';
const NORTH_AMERICAN_NUMBER = /^(?:\+?1)?[2-9]\d{9}$/;
const EXTENSION = /(?:ext(?:ension)?\.?|durchwahl|poste|int\.?|[x#])[\s:]{0,3}(\d{1,7})$/i;

/**
 * Returns what a phone can dial for a number as people write it: digits, perhaps with a plus, and
 * an extension after `separator`. Undefined if the text is no number.
 */
export function dialStringOf(text: string, separator: ',' | ';ext='): string | undefined {
  const ascii = text.normalize('NFKC').replace(/\p{Nd}/gu, asciiDigit);
  const [all = '', extension] = EXTENSION.exec(ascii) ?? [];
  const number = ascii
    .slice(0, ascii.length - all.length)
    .replace(/[,;]\s?$/, '')
    // Dialed only without the country code, except in Italy.
    .replace(/^((?:\+|00)(?!39)[\d\s]{1,4})\(0\)/, '$1')
    .replace(/[\s\p{Pd}\p{Cf}./()]/gu, '');
  const digits = number.replace(/[A-Z]/g, (letter) => LETTER_KEYS[letter.charCodeAt(0) - 65]!);
  const isNumber = digits === number || NORTH_AMERICAN_NUMBER.test(digits);
  if (!isNumber || !/^\+?\d{3,15}$/.test(digits)) return undefined;
  return extension === undefined ? digits : digits + separator + extension;
}

/** The digits of each script are in a row, from 0 to 9. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}
