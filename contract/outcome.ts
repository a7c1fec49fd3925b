import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** That a change was made. */
export const success = z.literal(true).meta({ description: 'Always true.' });

/** What a change came to; with one such sentence. */
export function message(example: string): z.ZodString {
  return z.string().meta({
    description: 'What happened, as a sentence for people.',
    maxLength: LIMITS.sentence,
    examples: [example],
  });
}
