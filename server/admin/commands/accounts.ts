import { UpdateDisplayNameRequest } from '../../../contract/account.ts';
import { listAccounts } from '../../../db/queries/accounts.ts';
import { createAccount } from '../../service/accounts/create-account.ts';
import { deleteAccount } from '../../service/accounts/delete-account.ts';
import { withAccount } from '../../service/accounts/with-account.ts';
import { AccountReference, checked } from '../argument.ts';
import { CommandFailedError } from '../command-failed.ts';
import { confirm } from '../confirm.ts';
import { type Program, details, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

/** A display name as it is typed: it is sanitized as the API does it. */
const DisplayName = UpdateDisplayNameRequest.shape.display_name;

export function addAccountsCommands(program: Program): void {
  const accounts = program.command('accounts').description('make, list and delete accounts');

  accounts
    .command('create')
    .description('make an account with its first API key, which is shown only now')
    .option('--display-name <name>', 'display name to take', checked(DisplayName))
    .action(async ({ displayName = null }, command) => {
      const account = await withService('The account could not be created.', (service) =>
        createAccount(service, displayName),
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
    .action(async (_options, command) => {
      const list = await withService('The accounts could not be listed.', ({ db }) =>
        listAccounts(db),
      );
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
    .action(async (account, { yes }, command) => {
      if (!yes && !process.stdin.isTTY)
        command.error('error: there is no terminal to ask on; add --yes to delete without asking');
      const reference = yes ? account : await askFirst(account);
      const deleted = await withService('The account could not be deleted.', (service) =>
        deleteAccount(service, reference),
      );
      show(command, deleted, ({ account_id, display_name }) =>
        details({ Deleted: account_id, 'Display name': display_name }),
      );
    });
}

/** Returns the id of the account when its deletion is confirmed. */
async function askFirst(account: string): Promise<string> {
  // The database is not held while the question waits for its answer.
  const { account_id, display_name } = await withService(
    'The account could not be looked up.',
    ({ db }) => withAccount(db, account, async (_trx, found) => found),
  );
  const name = display_name === null ? '' : ` (${display_name})`;
  const question = `Delete account ${account_id}${name} with its site, keys, projects and metrics?`;
  if (!(await confirm(question, process.stdin, process.stderr)))
    throw new CommandFailedError('Nothing was deleted.');
  return account_id;
}
