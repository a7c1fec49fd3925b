import { InvalidArgumentError } from '@commander-js/extra-typings';
import { z } from 'zod';

export function parseLimit(max: number): (input: string) => number {
  const message = `The limit is a whole number from 1 to ${max}.`;
  return parseWith(z.coerce.number(message).int(message).min(1, message).max(max, message));
}

export function parseWith<Value>(schema: z.ZodType<Value>): (input: string) => Value {
  return (input) => {
    const result = schema.safeParse(input);
    if (result.success) return result.data;
    const { message = '' } = result.error.issues[0] ?? {};
    throw new InvalidArgumentError(message.replace(/^must/, 'It must'));
  };
}
