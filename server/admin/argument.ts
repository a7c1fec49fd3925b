import { InvalidArgumentError } from 'commander';
import type { ZodType } from 'zod';

/** Checks an argument by its schema in the contract and passes it on as it was typed. */
export function checked(schema: ZodType): (typed: string) => string {
  return (typed) => {
    const result = schema.safeParse(typed);
    if (result.success) return typed;
    throw new InvalidArgumentError(result.error.issues[0]?.message ?? '');
  };
}
