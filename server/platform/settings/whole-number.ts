import { z } from 'zod';

/** Only decimal digits: `Number` would also read `0x50`, `1e3` and ` 80 `. */
export function wholeNumber(
  min: number,
  max: number,
  message = `must be a whole number from ${min} to ${max}`,
) {
  return z
    .string()
    .regex(/^[0-9]+$/, message)
    .transform(Number)
    .pipe(z.number(message).min(min, message).max(max, message));
}
