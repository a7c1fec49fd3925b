import { readFile } from 'node:fs/promises';
import { UpdateDisplayNameRequest } from '#contract/account.ts';
import { hasAnyAccount } from '#db/queries/accounts.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { createAccount, type NewAccount } from '#server/features/accounts/create-account.ts';
import type { NameServices } from '#server/features/names/change-display-name.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { CommandFailedError } from '../command-failed.ts';
import type { Service } from '../open-service.ts';
import { formatCsv } from '#server/platform/text/format-csv.ts';

/** Limited, because one transaction creates all accounts in a file. */
const MAX_ACCOUNTS = 10_000;

interface NameLine {
  number: number;
  name: string;
}

/** Reads the first column of a CSV file. Skips a heading `display_name`. */
export async function readNames(file: string): Promise<NameLine[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailedError(`The file cannot be read: ${error.message}.`);
  });
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, name: firstField(line) }))
    .filter(({ number, name }) => name !== '' && !(number === 1 && name === 'display_name'));
  if (lines.length === 0) throw new CommandFailedError(`${file} contains no names.`);
  if (lines.length > MAX_ACCOUNTS)
    throw new CommandFailedError(`A file can have at most ${MAX_ACCOUNTS} names. Split ${file}.`);
  return lines;
}

function firstField(line: string): string {
  const [, quoted, plain = ''] = /^\s*(?:"((?:[^"]|"")*)"|([^,]*))/.exec(line) ?? [];
  return (quoted?.replaceAll('""', '"') ?? plain).trim();
}

/** Creates all accounts or none. The error lists the invalid lines. */
export function createAccounts(
  service: NameServices & Pick<Service, 'runAudited'>,
  lines: readonly NameLine[],
  onProgress: (done: number) => void,
): Promise<NewAccount[]> {
  return service.runAudited('accounts create', async (trx, audit) => {
    if (!(await hasAnyAccount(trx)))
      throw new CommandFailedError(
        'There is no account yet. The first one belongs to the operator. Create yours first, with the command: accounts create',
      );
    const accounts: NewAccount[] = [];
    const problems: string[] = [];
    for (const [index, { number, name }] of lines.entries()) {
      const account = await tryCreateAccount(trx, service, name);
      if (typeof account !== 'string') accounts.push(account);
      else problems.push(`Line ${number}: ${account}`);
      onProgress(index + 1);
    }
    if (problems.length > 0)
      throw new CommandFailedError([...problems, 'No account was created.'].join('\n'));
    audit({ detail: { accounts: accounts.map(({ display_name }) => display_name) } });
    return accounts;
  });
}

async function tryCreateAccount(
  trx: Transaction,
  app: NameServices,
  name: string,
): Promise<NewAccount | string> {
  const { data, error } = UpdateDisplayNameRequest.safeParse({ display_name: name });
  if (data === undefined) return error.issues[0]!.message;
  try {
    return await createAccount(trx, app, data.display_name);
  } catch (refusal) {
    if (refusal instanceof RefusalError && refusal.status < 500) return refusal.message;
    throw refusal;
  }
}

export function formatAccountsCsv(accounts: readonly NewAccount[]): string {
  return formatCsv(
    ['display_name', 'account_id', 'api_key'],
    accounts.map(({ display_name, account_id, api_key }) => [display_name, account_id, api_key]),
  );
}
