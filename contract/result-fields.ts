import { z } from 'zod';
import { objectSchema, textField } from './fields.ts';
import { LIMITS } from './shared/limits.ts';

export const success = z.literal(true).meta({ description: 'Always true.' });

/** The response of writes that have no new state to return. */
export const SuccessResponse = objectSchema('SuccessResponse', 'The request succeeded.', {
  success,
});

export function messageField(example: string): z.ZodString {
  return textField('The result, as one sentence.', LIMITS.message, example);
}
