import { z } from 'zod';
import { formatLimit } from './shared/limits.ts';

/** At least one non-whitespace character, and no NUL. Needs no flags, so that it works in any regex engine. */
export const NOT_BLANK_PATTERN = String.raw`^\s*[^\s\x00][^\x00]*$`;

/** One non-blank line. Excludes control characters, so that a name cannot fake extra lines in a list or an email. */
export const ONE_LINE_PATTERN = String.raw`^ *[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`;

/**
 * Line separators, and characters that make the text after them read in another order. Not in the
 * pattern, because engines of regular expressions differ in how they are written.
 */
const SEPARATORS_AND_OVERRIDES = /[\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** The length in Unicode code points, as `maxLength` in JSON Schema counts. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1)
    if (text.codePointAt(index)! > 0xffff) {
      count -= 1;
      index += 1;
    }
  return count;
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A string of at most `max` code points. */
export function limitedText(
  max: number,
  message = `must be a string of at most ${formatLimit(max)} characters.`,
): z.ZodString {
  return z
    .string(message)
    .refine((text) => text.length <= max || countCodePoints(text) <= max, message)
    .meta({ maxLength: max });
}

/** A single line of at most `max` code points, not blank. */
export function oneLine(
  max: number,
  message = `must be one line of 1 to ${formatLimit(max)} characters.`,
): z.ZodString {
  return limitedText(max, message)
    .regex(new RegExp(ONE_LINE_PATTERN), message)
    .refine((text) => !SEPARATORS_AND_OVERRIDES.test(text), message);
}

export function matchingText(pattern: RegExp, message: string): z.ZodString {
  return z.string(message).regex(pattern, message);
}
