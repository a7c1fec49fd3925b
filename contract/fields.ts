import { z } from 'zod';

/** The id of an API key. */
export const keyId = z.string().meta({
  pattern: '^np_[A-Za-z0-9]+$',
  maxLength: 67,
  examples: ['np_KeE5H4OlWsWE2ciL'],
});

/** A point in time; `what` says which, without a full stop. */
export function timeField(what: string, example: string): z.ZodISODateTime {
  return z.iso.datetime().meta({
    description: `${what} (ISO 8601, UTC).`,
    maxLength: 30,
    examples: [example],
  });
}
