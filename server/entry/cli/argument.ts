import { InvalidArgumentError } from '@commander-js/extra-typings';
import { z } from 'zod';

export function parseWith<Value>(schema: z.ZodType<Value>): (input: string) => Value {
  return (input) => {
    const result = schema.safeParse(input);
    if (result.success) return result.data;
    const { message = '' } = result.error.issues[0] ?? {};
    throw new InvalidArgumentError(message.replace(/^must/, 'It must'));
  };
}
