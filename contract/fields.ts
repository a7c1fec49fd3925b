import { z } from 'zod';
import { uuid } from './uuid.ts';

/** An object schema, named `id` in the OpenAPI documents and the SDK. */
export function objectSchema<T extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  shape: T,
) {
  return z.object(shape).meta({ id, description });
}

export function idField(description: string, example: string | null): z.ZodString {
  return uuid().meta({ description, examples: [example] });
}

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

export function textField(description: string, maxLength: number, example: string): z.ZodString {
  return z.string().meta({ description, maxLength, examples: [example] });
}

export function nullableTextField(description: string, maxLength: number, example: string | null) {
  return z
    .string()
    .nullable()
    .meta({ description, maxLength, examples: [example] });
}

export function booleanField(description: string, example: boolean): z.ZodBoolean {
  return z.boolean().meta({ description, examples: [example] });
}

export function countField(description: string, example: number | null): z.ZodInt {
  return z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
}

/** A whole number in a request. */
export function intParam(min: number, max: number, message: string): z.ZodInt {
  return z.int(message).min(min, message).max(max, message);
}

/** A request field of queries over a time range. */
export const compare = z
  .boolean('compare must be true or false.')
  .default(false)
  .meta({
    description: 'Whether to also return the previous period of the same length.',
    examples: [true],
  });
