import { listUsage } from '../../../db/queries/usage.ts';
import { withAccount } from '../../service/accounts/with-account.ts';
import { today } from '../../service/allowances/waiting.ts';
import { AccountReference, checked, parseLimit } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, show } from '../output.ts';
import { usageTable } from '../usage-table.ts';
import { withService } from '../with-service.ts';

export function addUsageCommand(accounts: Program): void {
  accounts
    .command('usage')
    .description('show how much of their limits accounts use, most metrics today first')
    .argument('[name-or-id]', 'only this account, by display name or id', checked(AccountReference))
    .option('--limit <number>', 'maximum number of accounts, up to 100000', parseLimit(100_000), 20)
    .addHelpText('after', examples('accounts usage', 'accounts usage jane-doe --json'))
    .action(async (account, { limit }, command) => {
      const usage = await withService(
        'The usage could not be read.',
        async ({ db, allowances, naming: { quarantineDays } }) => {
          const page = { day: today(), quarantineDays, limit };
          const held = await (account === undefined
            ? listUsage(db, page)
            : withAccount(db, account, (trx, { account_id }) =>
                listUsage(trx, { ...page, accountId: account_id }),
              ));
          return { allowed: allowances, accounts: held };
        },
      );
      show(command, usage, ({ allowed, accounts: rows }) => usageTable(allowed, rows));
    });
}
