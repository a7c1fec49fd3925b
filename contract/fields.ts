import { z } from 'zod';

export const keyId = z.string().meta({
  pattern: '^np_[A-Za-z0-9]+$',
  maxLength: 67,
  examples: ['np_KeE5H4OlWsWE2ciL'],
});

/** A UTC time in a response. `description` must not end with a period. */
export function timeField(description: string, example: string): z.ZodISODateTime {
  return z.iso.datetime().meta({
    description: `${description} (ISO 8601, UTC).`,
    maxLength: 30,
    examples: [example],
  });
}

/** A request field of queries over a time range. */
export const compare = z
  .boolean('compare must be true or false.')
  .default(false)
  .meta({
    description: 'Whether to also return the previous period of the same length.',
    examples: [true],
  });
