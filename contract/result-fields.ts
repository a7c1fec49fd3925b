import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** Answer of a change that was made. */
export const success = z.literal(true).meta({ description: 'Always true.' });

/** Result of a change; with one such sentence. */
export function messageField(example: string): z.ZodString {
  return z.string().meta({
    description: 'The result, as one sentence.',
    maxLength: LIMITS.sentence,
    examples: [example],
  });
}
