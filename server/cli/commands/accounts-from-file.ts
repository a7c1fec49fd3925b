import { readFile } from 'node:fs/promises';
import type { Transaction } from 'kysely';
import { UpdateDisplayNameRequest } from '#contract/account.ts';
import { hasAccount } from '#db/queries/accounts.ts';
import type { Database } from '#db/schema.ts';
import { createAccount, type NewAccount } from '#server/features/accounts/create-account.ts';
import type { Naming } from '#server/features/names/change-display-name.ts';
import { RefusalError } from '#server/refusal.ts';
import { CommandFailedError } from '../command-failed.ts';
import type { Service } from '../open-service.ts';
import { csv } from '../output.ts';

/** Largest number of accounts that are made in one transaction. */
const MAX_ACCOUNTS = 10_000;

/** A display name of a file, and the line that it is on. */
interface Line {
  number: number;
  name: string;
}

/** Reads the display names of a CSV file: the first field of each line, below a heading or without. */
export async function readNames(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailedError(`The file cannot be read: ${error.message}.`);
  });
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, name: firstField(line) }))
    .filter(({ number, name }) => name !== '' && !(number === 1 && name === 'display_name'));
  if (lines.length === 0) throw new CommandFailedError(`There are no names in ${file}.`);
  if (lines.length > MAX_ACCOUNTS)
    throw new CommandFailedError(`A file has at most ${MAX_ACCOUNTS} names; split ${file}.`);
  return lines;
}

function firstField(line: string): string {
  const [, quoted, plain = ''] = /^\s*(?:"((?:[^"]|"")*)"|([^,]*))/.exec(line) ?? [];
  return (quoted?.replaceAll('""', '"') ?? plain).trim();
}

/** Makes an account for each line, or none at all: then the lines that cannot be used are named. */
export function createFromLines(
  { change, naming }: Pick<Service, 'change' | 'naming'>,
  lines: readonly Line[],
  report: (done: number) => void,
): Promise<NewAccount[]> {
  return change('accounts create', async (trx, about) => {
    if (!(await hasAccount(trx)))
      throw new CommandFailedError(
        'There is no account yet. The first one belongs to the operator, so create yours first: npx nameplate accounts create',
      );
    const made: NewAccount[] = [];
    const problems: string[] = [];
    for (const [index, { number, name }] of lines.entries()) {
      const account = await createOrExplain(trx, naming, name);
      if (typeof account !== 'string') made.push(account);
      else problems.push(`Line ${number}: ${account}`);
      report(index + 1);
    }
    if (problems.length > 0)
      throw new CommandFailedError([...problems, 'No account was created.'].join('\n'));
    about({ detail: { account_ids: made.map(({ account_id }) => account_id) } });
    return made;
  });
}

/** The account, or the sentence why there is none. */
async function createOrExplain(
  trx: Transaction<Database>,
  naming: Naming,
  name: string,
): Promise<NewAccount | string> {
  const { data, error } = UpdateDisplayNameRequest.safeParse({ display_name: name });
  if (data === undefined) return error.issues[0]!.message;
  try {
    return await createAccount(trx, naming, data.display_name);
  } catch (refusal) {
    if (refusal instanceof RefusalError && refusal.status < 500) return refusal.message;
    throw refusal;
  }
}

export function accountsCsv(accounts: readonly NewAccount[]): string {
  return csv(
    ['display_name', 'account_id', 'api_key'],
    accounts.map(({ display_name, account_id, api_key }) => [display_name, account_id, api_key]),
  );
}
