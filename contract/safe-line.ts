import { cutText } from './shared/user-text.ts';

/**
 * Characters that files and databases refuse, or that reorder the text after them, for a character
 * class. Other invisible ones stay: Persian words, emoji and flags have joiners and tags.
 */
export const UNSAFE_CHARACTERS = String.raw`\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029\u202a-\u202e\u2066-\u2069`;

const SPACE_OR_UNSAFE = new RegExp(`[${UNSAFE_CHARACTERS}\\s]+`, 'gu');
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\s]/u;

/** One line of at most `max` code points, or '' if nothing in it is visible. */
export function safeLine(text: string, max: number): string {
  const line = cutText(text.replace(SPACE_OR_UNSAFE, ' ').trim(), max).trim();
  return VISIBLE.test(line) ? line : '';
}
