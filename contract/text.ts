import { z } from 'zod';

/** Text that is more than white space, for every regular expression engine. */
export const NOT_BLANK_PATTERN = String.raw`^\s*[^\s\x00][^\x00]*$`;

/**
 * One line that is more than spaces, for every regular expression engine: no control characters, so that
 * a name or a label cannot look like more than one where it is shown or mailed.
 */
const ONE_LINE = String.raw`^ *[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`;

/** The length of a text in Unicode code points, as JSON Schema's `maxLength` counts. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1)
    if (text.codePointAt(index)! > 0xffff) {
      count -= 1;
      index += 1;
    }
  return count;
}

/** The length of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A string of at most `max` code points; `message` is the answer to anything else. */
export function limitedText(max: number, message: string): z.ZodString {
  return z
    .string(message)
    .refine((text) => text.length <= max || countCodePoints(text) <= max, message)
    .meta({ maxLength: max });
}

/** A string of one line and of at most `max` code points; `message` is the answer to anything else. */
export function oneLine(max: number, message: string): z.ZodString {
  return limitedText(max, message).regex(new RegExp(ONE_LINE), message);
}
