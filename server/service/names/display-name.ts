import { DISPLAY_NAME } from '../../../contract/account.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(DISPLAY_NAME);

/** The sanitizer alone: trimmed, lower-cased, white space to hyphens, all but `a-z 0-9 -` removed. */
export function sanitizeDisplayName(input: string): string {
  return input
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9-]/g, '');
}

/**
 * Turns what was sent into a display name, or refuses it: fewer than 3 characters left; not valid,
 * with a suggestion that is not reserved; or reserved.
 */
export function parseDisplayName(input: string, isReserved: (name: string) => boolean): string {
  const name = sanitizeDisplayName(input);
  const trimmed = withoutOuterHyphens(name);
  if (trimmed.length < LIMITS.displayNameMin) throw refuse('displayNameTooShort');
  if (
    name.length > LIMITS.displayNameMax ||
    name !== trimmed ||
    name.startsWith('xn--') ||
    hasForeignLetters(input)
  )
    throw refuse('displayNameInvalid', { suggestion: suggest(trimmed, isReserved) });
  if (isReserved(name)) throw refuse('displayNameReserved', { name });
  return name;
}

/** By hand, because the expression for it takes quadratic time on many hyphens in the middle. */
function withoutOuterHyphens(name: string): string {
  let start = 0;
  let end = name.length;
  while (name[start] === '-') start += 1;
  while (end > start && name[end - 1] === '-') end -= 1;
  return name.slice(start, end);
}

/** Letters (also as symbols), digits or accents of another script: without them it is not the name that was asked for. */
function hasForeignLetters(input: string): boolean {
  const foreign = input.toLowerCase().replace(/[a-z0-9]/g, '');
  // Variation selectors and keycaps are marks too, but belong to emoji.
  return /[\p{Alphabetic}\p{N}\u249C-\u24B5\u{1F110}-\u{1F12C}]|(?![\uFE00-\uFE0F\u20E3])\p{M}/u.test(
    foreign,
  );
}

function suggest(name: string, isReserved: (name: string) => boolean): string {
  const plain = shorten(name.replace(/^(?:xn--|-)+/, '')).padEnd(LIMITS.displayNameMin, '1');
  return isReserved(plain) ? shorten(`my-${plain}`) : plain;
}

function shorten(name: string): string {
  return name.slice(0, LIMITS.displayNameMax).replace(/-+$/, '');
}
