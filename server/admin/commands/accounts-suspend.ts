import { suspendAccount } from '../../service/accounts/suspend-account.ts';
import { AccountReference, checked } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, details, show, time } from '../output.ts';
import { withService } from '../with-service.ts';

export function addSuspendCommands(accounts: Program): void {
  addCommand(accounts, {
    name: 'suspend',
    description:
      'refuse the keys of an account, stop its mail and hide its page until it is resumed',
    suspended: true,
    failure: 'The account could not be suspended.',
  });
  addCommand(accounts, {
    name: 'resume',
    description: 'end the suspension of an account and restore everything as it was',
    suspended: false,
    failure: 'The account could not be resumed.',
  });
}

function addCommand(
  accounts: Program,
  made: { name: string; description: string; suspended: boolean; failure: string },
): void {
  accounts
    .command(made.name)
    .description(made.description)
    .argument('<name-or-id>', 'display name or id of the account', checked(AccountReference))
    .addHelpText('after', examples(`accounts ${made.name} jane-doe`))
    .action(async (account, _options, command) => {
      const changed = await withService(made.failure, ({ change, forwarding }) =>
        change(`accounts ${made.name}`, async (trx, about) => {
          const { suspended } = made;
          const done = await suspendAccount(trx, forwarding, { account, suspended });
          about({ account_id: done.account_id });
          return done;
        }),
      );
      show(command, changed, ({ account_id, display_name, suspended_at }) =>
        details({
          Account: account_id,
          'Display name': display_name,
          Suspended: time(suspended_at),
        }),
      );
    });
}
