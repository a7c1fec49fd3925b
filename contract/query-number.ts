import { z } from 'zod';

/** A whole number in a query: decimal digits alone, not what else JavaScript reads as a number. */
export function queryNumber(number: z.ZodType<number>) {
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
    number,
  );
}
