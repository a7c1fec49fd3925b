import { UpdateDisplayNameRequest } from '#contract/account.ts';
import { createAccount } from '#server/features/accounts/create-account.ts';
import { parseWith } from '../argument.ts';
import { formatDetails, examples, type Program, printResult, colored } from '../output.ts';
import { withService } from '../with-service.ts';

const DisplayName = UpdateDisplayNameRequest.shape.display_name;

export function addAccountsCommands(program: Program): void {
  const accounts = program
    .command('accounts')
    .description('create accounts')
    .addHelpText('after', examples('accounts create'));
  accounts
    .command('create')
    .description('create an account and its first API key, which is shown only once')
    .option('--display-name <name>', 'display name of the account', parseWith(DisplayName))
    .addHelpText(
      'after',
      examples('accounts create', 'accounts create --display-name "Jane Doe" --json'),
    )
    .action(async ({ displayName = null }, command) => {
      const account = await withService(
        'The account could not be created.',
        (service) =>
          service.runAudited('accounts create', async (trx, audit) => {
            const created = await createAccount(trx, service, displayName);
            audit({ account_id: created.account_id });
            return created;
          }),
        { createTables: true },
      );
      return printResult(command, account, ({ account_id, display_name, is_operator, api_key }) =>
        formatDetails({
          Account: account_id,
          'Display name': display_name,
          ...(is_operator && { Operator: 'yes (first account)' }),
          'API key': api_key,
          '': colored('warning', 'Save the key now. It is not shown again.'),
        }),
      );
    });
}
