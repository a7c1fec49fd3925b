import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { z } from 'zod';

export const AccountReference = z
  .string()
  .regex(/\S/, 'An account is required: its display name or its id.')
  .max(255, 'An account is a display name or an id.');

export const accountOption = new Option(
  '--account <name-or-id>',
  'display name or id of the account',
)
  .argParser(parseWith(AccountReference))
  .makeOptionMandatory();

export function parseLimit(max: number, noun = 'limit'): (input: string) => number {
  const message = `The ${noun} is a whole number from 1 to ${max}.`;
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
