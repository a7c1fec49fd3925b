import { firstCharacter } from '#contract/shared/user-text.ts';

const EMOJI_PATTERN = /^\p{RGI_Emoji}$/v;

export function isEmoji(text: string): boolean {
  return EMOJI_PATTERN.test(text);
}

/** Returns the first letters of the first words, in upper case. */
export function initialsOf(title: string, words = 2): string {
  return title
    .split(/\s+/)
    .slice(0, words)
    .map((word) => firstCharacter(word))
    .join('')
    .toUpperCase();
}
