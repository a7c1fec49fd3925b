import { z } from 'zod';

/** A whole number in a query string: decimal digits only, not `1e3` or `0x10`. */
export function queryNumber(schema: z.ZodType<number>) {
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
    schema,
  );
}

/** `true` or `false` in a query string. */
export function queryBoolean(schema: z.ZodType<boolean>) {
  return z.preprocess(
    (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
    schema,
  );
}
