import type { Command } from 'commander';
import { checked } from '../argument.ts';
import { answered } from '../client.ts';
import { confirm } from '../confirm.ts';
import { AccountReference, DisplayNameInput } from '../contract/accounts.ts';
import { details, show, table, time } from '../output.ts';
import { CommandFailedError, withAdmin } from '../with-admin.ts';

export function addAccountsCommands(program: Command): void {
  const accounts = program.command('accounts').description('make, list and delete accounts');

  accounts
    .command('create')
    .description('make an account with its first API key, which is shown only now')
    .option('--display-name <name>', 'display name to take', checked(DisplayNameInput))
    .action(async ({ displayName }: { displayName?: string }, command: Command) => {
      const account = await withAdmin(async (admin) =>
        answered(await admin.accounts.createAccount({ body: { display_name: displayName } })),
      );
      show(command, account, ({ account_id, display_name, api_key }) =>
        details({
          Account: account_id,
          'Display name': display_name,
          'API key': api_key,
          '': 'The key is shown only now: keep it.',
        }),
      );
    });

  accounts
    .command('list')
    .description('list all accounts, oldest first')
    .action(async (_options: object, command: Command) => {
      const list = await withAdmin(async (admin) => answered(await admin.accounts.listAccounts()));
      show(command, list, (rows) =>
        table(
          ['Account', 'Display name', 'Made'],
          rows.map((row) => [row.account_id, row.display_name, time(row.created_at)]),
          'There are no accounts.',
        ),
      );
    });

  accounts
    .command('delete')
    .description('delete an account with its site, keys, projects and metrics')
    .argument('<id>', 'the account: its id or its display name', checked(AccountReference))
    .option('-y, --yes', 'do not ask first')
    .action(async (account: string, { yes }: { yes?: true }, command: Command) => {
      const reference = yes ? account : await askFirst(account, command);
      const deleted = await withAdmin(async (admin) =>
        answered(await admin.accounts.deleteAccount({ body: { account: reference } })),
      );
      show(command, deleted, ({ account_id, display_name }) =>
        details({ Deleted: account_id, 'Display name': display_name }),
      );
    });
}

/** Returns the id of the account when its deletion is confirmed. */
async function askFirst(account: string, command: Command): Promise<string> {
  if (!process.stdin.isTTY)
    command.error('error: there is no terminal to ask on; add --yes to delete without asking');
  // The database is not held while the question waits for its answer.
  const { account_id, display_name } = await withAdmin(async (admin) =>
    answered(await admin.accounts.findAccount({ query: { account } })),
  );
  const name = display_name === null ? '' : ` (${display_name})`;
  const question = `Delete account ${account_id}${name} with its site, keys, projects and metrics?`;
  if (!(await confirm(question, process.stdin, process.stderr)))
    throw new CommandFailedError('Nothing was deleted.');
  return account_id;
}
