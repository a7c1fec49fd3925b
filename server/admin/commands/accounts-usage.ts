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
      const usage = await withService(
        'What accounts hold could not be shown.',
        async ({ db, allowances, naming: { quarantineDays } }) => {
          const page = { day: today(), quarantineDays, limit: most };
          const held = await (account === undefined
            ? listUsage(db, page)
            : withAccount(db, account, (trx, { account_id }) =>
                listUsage(trx, { ...page, accountId: account_id }),
              ));
          return { allowed: allowances, accounts: held };
        },
      );
      show(command, usage, ({ allowed, accounts: rows }) =>
        table(
          [
            ...[
              'Account',
              'Display name',
              'Metrics today',
              'Answers',
              'Events',
              'Projects',
              'Keys',
            ],
            ...['Names held back', 'Name changes today'],
          ],
          [
            [
              'allowed',
              null,
              ...[allowed.metricBytesPerDay, allowed.answerBytes].map((bytes) =>
                bytes === 0 ? null : megabytes(bytes),
              ),
              ...[
                ...[allowed.events, allowed.projects, allowed.keys],
                ...[allowed.heldBackNames, allowed.nameChangesPerDay],
              ].map((count) => (count === 0 ? null : String(count))),
            ],
            ...rows.map((row) => [
              row.account_id,
              row.display_name,
              megabytes(row.metric_bytes_today),
              megabytes(row.answer_bytes),
              ...[
                ...[row.events, row.projects, row.keys],
                ...[row.names_held_back, row.name_changes_today],
              ].map(String),
            ]),
          ],
          '',
        ),
      );
    });
}
