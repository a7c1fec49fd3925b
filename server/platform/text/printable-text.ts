import { stripVTControlCharacters } from 'node:util';

/** Invisible characters that reorder text, which could disguise a name. */
export const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Includes line separators and characters that change the text direction. */
export const CONTROL_CHARACTERS =
  /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Removes escape sequences and replaces control characters with spaces, so that user text cannot
 * control the terminal.
 */
export function toPrintable(text: string): string {
  // Most texts have none, and `search` is much faster. Escape sequences begin with one.
  if (text.search(CONTROL_CHARACTERS) === -1) return text;
  return stripVTControlCharacters(text).replace(CONTROL_CHARACTERS, ' ');
}
