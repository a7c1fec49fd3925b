import { DISPLAY_NAME_REFUSALS } from '#contract/account.ts';
import { replaceUnsplit } from '#contract/shared/fold-text.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(DISPLAY_NAME_REFUSALS);

export function sanitizeDisplayName(input: string): string {
  return input
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9-]/g, '');
}

/** Throws a refusal if the name is invalid or, unless `rejectReserved` is false, reserved. */
export function parseDisplayName(
  input: string,
  isReserved: (name: string) => boolean,
  { rejectReserved = true } = {},
): string {
  const name = sanitizeDisplayName(input);
  const problem = findNameProblem(input);
  if (problem === 'displayNameInvalid')
    throw refuse(problem, { suggestion: suggestName(input, isReserved) });
  if (problem) throw refuse(problem);
  if (rejectReserved && isReserved(name)) throw refuse('displayNameReserved', { name });
  return name;
}

export function findNameProblem(
  input: string,
): 'displayNameTooShort' | 'displayNameInvalid' | undefined {
  const name = sanitizeDisplayName(input);
  const trimmed = trimHyphens(name);
  if (trimmed.length < LIMITS.displayNameMin) return 'displayNameTooShort';
  if (
    name.length > LIMITS.displayNameMax ||
    name !== trimmed ||
    name.startsWith('xn--') ||
    hasUnsupportedLetters(input)
  )
    return 'displayNameInvalid';
  return undefined;
}

/** A regular expression would take quadratic time on many inner hyphens. */
function trimHyphens(name: string): string {
  let start = 0;
  let end = name.length;
  while (name[start] === '-') start += 1;
  while (end > start && name[end - 1] === '-') end -= 1;
  return name.slice(start, end);
}

/** Whether `sanitizeDisplayName` drops letters, digits or accents, not only punctuation and emoji. */
function hasUnsupportedLetters(input: string): boolean {
  const otherCharacters = input.toLowerCase().replace(/[a-z0-9]/g, '');
  // Variation selectors and keycaps are marks, too, but belong to emoji.
  return /[\p{Alphabetic}\p{N}\u249C-\u24B5\u{1F110}-\u{1F12C}]|(?![\uFE00-\uFE0F\u20E3])\p{M}/u.test(
    otherCharacters,
  );
}

/** Longer than a name, because some characters will be removed. */
const MAX_INPUT_LENGTH = 4 * LIMITS.displayNameMax;
const FALLBACK_SUGGESTION = 'my-own-name';

/** Turns `Döe` into `doe`. */
function removeAccents(input: string): string {
  return replaceUnsplit(input.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''));
}

/** How German spells a letter without its dots: `Müller` becomes `mueller`. */
const UMLAUT_REPLACEMENTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

function toLatinName(input: string): string {
  const text = input.trim().slice(0, MAX_INPUT_LENGTH).toLowerCase().normalize('NFC');
  const latin = removeAccents(text.replace(/[äöü]/g, (letter) => UMLAUT_REPLACEMENTS[letter]!));
  return trimHyphens(sanitizeDisplayName(latin));
}

/** Turns a person's name into a display name. Returns undefined if the result is invalid or reserved. */
export function toDisplayName(
  input: string,
  isReserved: (name: string) => boolean,
): string | undefined {
  const name = truncate(toLatinName(input));
  return findNameProblem(name) || isReserved(name) ? undefined : name;
}

export function suggestName(input: string, isReserved: (name: string) => boolean): string {
  const base = truncate(toLatinName(input).replace(/^(?:xn--|-)+/, '')).padEnd(
    LIMITS.displayNameMin,
    '1',
  );
  const candidates = [base, truncate(`my-${base}`)];
  const accepted = candidates.find(
    (candidate) => !findNameProblem(candidate) && !isReserved(candidate),
  );
  return accepted ?? FALLBACK_SUGGESTION;
}

function truncate(name: string): string {
  return name.slice(0, LIMITS.displayNameMax).replace(/(?<!-)-+$/, '');
}
