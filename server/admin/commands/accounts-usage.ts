import { listUsage } from '../../../db/queries/usage.ts';
import { withAccount } from '../../service/accounts/with-account.ts';
import { today } from '../../service/allowances/waiting.ts';
import { AccountReference, checked, limit } from '../argument.ts';
import { examples } from '../examples.ts';
import { megabytes, type Program, show, table } from '../output.ts';
import { withService } from '../with-service.ts';

export function addUsageCommand(accounts: Program): void {
  accounts
    .command('usage')
    .description('show what accounts hold of what they may, those with most metrics today first')
    .argument('[name-or-id]', 'only this account, by display name or id', checked(AccountReference))
    .option('--limit <number>', 'accounts at most, up to 100000', limit(100_000), 20)
    .addHelpText('after', examples('accounts usage', 'accounts usage jane-doe --json'))
    .action(async (account, { limit: most }, command) => {
      const page = { day: today(), limit: most };
      const usage = await withService(
        'What accounts hold could not be shown.',
        async ({ db, allowances }) => ({
          allowed: allowances,
          accounts: await (account === undefined
            ? listUsage(db, page)
            : withAccount(db, account, (trx, { account_id }) =>
                listUsage(trx, { ...page, accountId: account_id }),
              )),
        }),
      );
      show(command, usage, ({ allowed, accounts: rows }) =>
        table(
          ['Account', 'Display name', 'Metrics today', 'Answers', 'Events', 'Projects', 'Keys'],
          [
            [
              'allowed',
              null,
              allowed.metricBytesPerDay === 0 ? null : megabytes(allowed.metricBytesPerDay),
              allowed.answerBytes === 0 ? null : megabytes(allowed.answerBytes),
              ...[allowed.events, allowed.projects, allowed.keys].map((count) =>
                count === 0 ? null : String(count),
              ),
            ],
            ...rows.map((row) => [
              row.account_id,
              row.display_name,
              megabytes(row.metric_bytes_today),
              megabytes(row.answer_bytes),
              String(row.events),
              String(row.projects),
              String(row.keys),
            ]),
          ],
          '',
        ),
      );
    });
}
