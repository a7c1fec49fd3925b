import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { ProjectName } from '#contract/owner/projects.ts';

/** An account, named by its display name or its id. */
export const AccountReference = z
  .string()
  .regex(/\S/, 'An account is required: its display name or its id.')
  .max(255, 'An account is named by its display name or its id.');

/** A project, named by its id, or by its name together with its account. */
export const ProjectReference = ProjectName;

/** The account that a command is about. */
export const accountOption = new Option(
  '--account <name-or-id>',
  'display name or id of the account',
)
  .argParser(checked(AccountReference))
  .makeOptionMandatory();

/** The account of a project that is given by its name. */
export const projectAccountOption = new Option(
  '--account <name-or-id>',
  'account of the project; required with a project name',
).argParser(checked(AccountReference));

/** Parser of a limit: a whole number from 1 to `max`. */
export function parseLimit(max: number, what = 'limit'): (typed: string) => number {
  const message = `The ${what} is a whole number from 1 to ${max}.`;
  return checked(z.coerce.number(message).int(message).min(1, message).max(max, message));
}

/** Reads an argument by a schema. */
export function checked<Value>(schema: z.ZodType<Value>): (typed: string) => Value {
  return (typed) => {
    const result = schema.safeParse(typed);
    if (result.success) return result.data;
    throw new InvalidArgumentError(result.error.issues[0]?.message ?? '');
  };
}
