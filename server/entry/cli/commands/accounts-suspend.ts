import { Reason } from '#contract/owner/operator-accounts.ts';
import { setAccountSuspended } from '#server/features/accounts/suspend-account.ts';
import { AccountReference, parseWith } from '../argument.ts';
import { formatDetails, examples, type Program, printResult, formatTime } from '../output.ts';
import { withService } from '../with-service.ts';

export function addSuspendCommands(accounts: Program): void {
  accounts
    .command('suspend')
    .description('suspend an account: reject its keys, stop its mail and hide its page')
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .option(
      '--reason <text>',
      'reason, for operators and the mail to the member',
      parseWith(Reason),
    )
    .addHelpText('after', examples('accounts suspend jane-doe --reason "Phishing"'))
    .action(async (account, { reason }, command) => {
      const failure = 'The account could not be suspended.';
      printAccount(
        command,
        await setSuspended('suspend', failure, { account, suspended: true, reason }),
      );
    });
  accounts
    .command('resume')
    .description('end the suspension of an account and restore everything as it was')
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .addHelpText('after', examples('accounts resume jane-doe'))
    .action(async (account, _options, command) => {
      const failure = 'The account could not be resumed.';
      printAccount(command, await setSuspended('resume', failure, { account, suspended: false }));
    });
}

type SuspendedAccount = Awaited<ReturnType<typeof setAccountSuspended>>;

function setSuspended(
  command: 'suspend' | 'resume',
  failure: string,
  suspension: { account: string; suspended: boolean; reason?: string | undefined },
): Promise<SuspendedAccount> {
  const { reason } = suspension;
  return withService(failure, (service) =>
    service.runAudited(`accounts ${command}`, async (trx, audit) => {
      const { forwarding, outbox } = service;
      const account = await setAccountSuspended(trx, forwarding, { ...suspension, outbox });
      audit({ account_id: account.account_id, detail: reason === undefined ? {} : { reason } });
      return account;
    }),
  );
}

function printAccount(command: Parameters<typeof printResult>[0], changed: SuspendedAccount): void {
  printResult(command, changed, ({ account_id, display_name, suspended_at }) =>
    formatDetails({
      Account: account_id,
      'Display name': display_name,
      Suspended: formatTime(suspended_at),
    }),
  );
}
