import { z } from 'zod';

/** A whole number in a query string: decimal digits only, not `1e3` or `0x10`. */
export function queryNumber(schema: z.ZodType<number>) {
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
    schema,
  );
}
