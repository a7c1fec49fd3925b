import { listAccounts } from '#db/queries/accounts.ts';
import { listApiKeys } from '#db/queries/api-keys.ts';
import { findForwarding } from '#db/queries/forwarding/forwarding-settings.ts';
import { listProjects } from '#db/queries/projects.ts';
import { withAccount } from '#server/features/accounts/with-account.ts';
import { AccountReference, parseWith, parseLimit } from '../argument.ts';
import {
  formatDetails,
  examples,
  type Program,
  printResult,
  formatTable,
  formatTime,
  colored,
} from '../output.ts';
import { withService } from '../with-service.ts';
import { formatKeysTable } from './keys.ts';
import { formatProjectsTable } from './projects.ts';

export function addLookUpCommands(accounts: Program): void {
  accounts
    .command('list')
    .description('list accounts, oldest first')
    .option('--name <text>', 'only accounts with this text in their display name', (input) =>
      input.toLowerCase(),
    )
    .option(
      '--limit <number>',
      'maximum number of accounts, up to 100000',
      parseLimit(100_000),
      100,
    )
    .option(
      '--after <name-or-id>',
      'only accounts created after this one',
      parseWith(AccountReference),
    )
    .addHelpText(
      'after',
      examples('accounts list --name jane', 'accounts list --limit 1000 --json'),
    )
    .action(async ({ name, limit, after }, command) => {
      const query = { name, limit: limit + 1 };
      const accountRows = await withService('The accounts could not be listed.', ({ db }) =>
        after === undefined
          ? listAccounts(db, query)
          : withAccount(db, after, (trx, { account_id }) =>
              listAccounts(trx, { ...query, after: account_id }),
            ),
      );
      const list = accountRows.slice(0, limit);
      printResult(command, list, (rows) =>
        formatTable(
          ['Account', 'Display name', 'Created', 'Suspended'],
          rows.map((row) => [
            row.account_id,
            row.display_name,
            formatTime(row.created_at),
            colored('bad', formatTime(row.suspended_at)),
          ]),
          name === undefined && after === undefined
            ? 'There are no accounts.'
            : 'No account matches.',
        ),
      );
      const last = list.at(-1);
      if (last && accountRows.length > limit)
        process.stderr.write(
          `There are more accounts. Add --after ${last.account_id} for the next page, or raise --limit.\n`,
        );
    });

  accounts
    .command('show')
    .description('show an account with its keys, projects and forwarding')
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .addHelpText('after', examples('accounts show jane-doe'))
    .action(async (account, _options, command) => {
      const details = await withService('The account could not be looked up.', ({ db }) =>
        withAccount(db, account, async (trx, found) => ({
          ...found,
          forwarding: (await findForwarding(trx, found.account_id)) ?? null,
          keys: await listApiKeys(trx, found.account_id),
          projects: await listProjects(trx, found.account_id),
        })),
      );
      printResult(command, details, ({ forwarding, keys, projects, ...row }) =>
        [
          formatDetails({
            Account: row.account_id,
            'Display name': row.display_name,
            Created: formatTime(row.created_at),
            Suspended: colored('bad', formatTime(row.suspended_at)),
            Forwarding: forwarding?.enabled
              ? `to ${forwarding.email}${forwarding.confirmed === false ? ', waits for confirmation' : ''}`
              : 'off',
          }),
          formatKeysTable(keys),
          formatProjectsTable(projects),
        ].join('\n\n'),
      );
    });
}
