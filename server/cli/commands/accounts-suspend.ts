import { Reason } from '#contract/owner/operator-accounts.ts';
import { suspendAccount } from '#server/features/accounts/suspend-account.ts';
import { AccountReference, checked } from '../argument.ts';
import { details, examples, type Program, show, time } from '../output.ts';
import { withService } from '../with-service.ts';

export function addSuspendCommands(accounts: Program): void {
  accounts
    .command('suspend')
    .description(
      'refuse the keys of an account, stop its mail and hide its page until it is resumed',
    )
    .argument('<name-or-id>', 'display name or id of the account', checked(AccountReference))
    .option('--reason <text>', 'reason, which operators see', checked(Reason))
    .addHelpText('after', examples('accounts suspend jane-doe --reason "Phishing"'))
    .action(async (account, { reason }, command) => {
      const failure = 'The account could not be suspended.';
      print(command, await change('suspend', failure, { account, suspended: true, reason }));
    });
  accounts
    .command('resume')
    .description('end the suspension of an account and restore everything as it was')
    .argument('<name-or-id>', 'display name or id of the account', checked(AccountReference))
    .addHelpText('after', examples('accounts resume jane-doe'))
    .action(async (account, _options, command) => {
      const failure = 'The account could not be resumed.';
      print(command, await change('resume', failure, { account, suspended: false }));
    });
}

type Suspended = Awaited<ReturnType<typeof suspendAccount>>;

function change(
  command: 'suspend' | 'resume',
  failure: string,
  suspension: { account: string; suspended: boolean; reason?: string | undefined },
): Promise<Suspended> {
  const { reason } = suspension;
  return withService(failure, (service) =>
    service.change(`accounts ${command}`, async (trx, about) => {
      const done = await suspendAccount(trx, service.forwarding, suspension);
      about({ account_id: done.account_id, detail: reason === undefined ? {} : { reason } });
      return done;
    }),
  );
}

function print(command: Parameters<typeof show>[0], changed: Suspended): void {
  show(command, changed, ({ account_id, display_name, suspended_at }) =>
    details({
      Account: account_id,
      'Display name': display_name,
      Suspended: time(suspended_at),
    }),
  );
}
