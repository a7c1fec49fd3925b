import { z } from 'zod';
import { objectSchema, textField } from './fields.ts';
import { LIMITS } from './shared/limits.ts';

export const success = z.literal(true).meta({ description: 'Always true.' });

export function successResponse(id: string, description: string) {
  return objectSchema(id, description, { success });
}

export function messageField(example: string): z.ZodString {
  return textField('The result, as one sentence.', LIMITS.message, example);
}
