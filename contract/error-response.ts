import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** The body of every response with a status of 400 or more: one sentence for people, nothing else. */
export const ErrorResponse = z
  .object({
    error: z
      .string()
      .min(1)
      .meta({
        description: 'The error, as one sentence.',
        maxLength: LIMITS.sentence,
        examples: ['A display name is required.'],
      }),
  })
  .meta({ id: 'ErrorResponse', description: 'Why a request was refused or failed.' });
export type ErrorResponse = z.infer<typeof ErrorResponse>;
