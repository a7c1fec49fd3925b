import { Option } from '@commander-js/extra-typings';
import { UpdateDisplayNameRequest } from '#contract/account.ts';
import { createAccount } from '#server/features/accounts/create-account.ts';
import { deleteAccount } from '#server/features/accounts/delete-account.ts';
import { withAccount } from '#server/features/accounts/with-account.ts';
import { changeDisplayName } from '#server/features/names/change-display-name.ts';
import { AccountReference, checked, parseLimit } from '../argument.ts';
import { demandConsent, demandTerminal } from '../confirm.ts';
import { details, examples, type Program, show, toned } from '../output.ts';
import { withService } from '../with-service.ts';
import { accountsCsv, createFromLines, readNames } from './accounts-from-file.ts';
import { addLookUpCommands } from './accounts-look-up.ts';
import { addSuspendCommands } from './accounts-suspend.ts';
import { listUsage } from '#db/queries/usage.ts';
import { today } from '#server/limits/allowances/waiting.ts';
import { usageTable } from '../usage-table.ts';

/** A display name as it is typed: it is sanitized as the API does it. */
const DisplayName = UpdateDisplayNameRequest.shape.display_name;

export function addAccountsCommands(program: Program): void {
  const accounts = program
    .command('accounts')
    .description('manage accounts')
    .addHelpText('after', examples('accounts list', 'accounts show jane-doe'));

  accounts
    .command('create')
    .description('create an account with a first API key, which is shown only once')
    .option('--display-name <name>', 'display name of the account', checked(DisplayName))
    .addOption(
      new Option(
        '--from <file>',
        'create an account for each display name in a CSV file, and print their keys as CSV',
      ).conflicts('displayName'),
    )
    .addHelpText(
      'after',
      `${examples(
        'accounts create',
        'accounts create --display-name "Jane Doe" --json',
        'accounts create --from names.csv',
      )}

With --from, either all accounts are created or none. If some lines cannot be used, the command
lists them with the reason. Correct them and run it again.`,
    )
    .action(async ({ displayName = null, from }, command) => {
      if (from !== undefined) {
        const lines = await readNames(from);
        const list = await withService(
          'The accounts could not be created.',
          (service) =>
            createFromLines(service, lines, (done) => {
              if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${lines.length}`);
            }),
          { setUp: true },
        );
        if (process.stderr.isTTY) process.stderr.write(`\r${list.length} accounts\n`);
        return show(command, list, accountsCsv);
      }
      const account = await withService(
        'The account could not be created.',
        ({ change, naming }) =>
          change('accounts create', async (trx, about) => {
            const made = await createAccount(trx, naming, displayName);
            about({ account_id: made.account_id });
            return made;
          }),
        { setUp: true },
      );
      return show(command, account, ({ account_id, display_name, is_operator, api_key }) =>
        details({
          Account: account_id,
          'Display name': display_name,
          ...(is_operator && { Operator: 'yes, as the first account' }),
          'API key': api_key,
          '': toned('warning', 'The key is shown only now: keep it.'),
        }),
      );
    });

  addLookUpCommands(accounts);
  addUsageCommand(accounts);

  accounts
    .command('rename')
    .description('change the display name of an account, which turns its email forwarding off')
    .argument('<name-or-id>', 'display name or id of the account', checked(AccountReference))
    .argument('<new-name>', 'its new display name', checked(DisplayName))
    .addHelpText('after', examples('accounts rename jane-doe "Jane Roe"'))
    .action(async (account, input, _options, command) => {
      const renamed = await withService('The account could not be renamed.', ({ change, naming }) =>
        change('accounts rename', (trx, about) =>
          withAccount(trx, account, async (_trx, { account_id }) => {
            const { from, to } = await changeDisplayName(trx, naming, {
              accountId: account_id,
              input,
            });
            about({ account_id, detail: { from } });
            return { account_id, display_name: to, previous_display_name: from };
          }),
        ),
      );
      show(command, renamed, ({ account_id, display_name, previous_display_name }) =>
        details({
          Account: account_id,
          'Display name': display_name,
          Before: previous_display_name,
          Forwarding: 'off',
        }),
      );
    });

  addSuspendCommands(accounts);

  accounts
    .command('delete')
    .description('delete an account with its site, keys, projects and metrics')
    .argument('<name-or-id>', 'display name or id of the account', checked(AccountReference))
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('accounts delete jane-doe', 'accounts delete jane-doe --yes'))
    .action(async (account, { yes }, command) => {
      if (!yes) demandTerminal(command);
      const failure = 'The account could not be deleted.';
      const deleted = await withService(failure, async ({ db, change, ...dependencies }) => {
        const found = await withAccount(db, account, async (_trx, row) => row);
        if (!yes) await demandConsent(questionAbout(found));
        const { account_id, display_name: name } = found;
        return deleteAccount(
          db,
          (step, work) =>
            change('accounts delete', (trx, about) => {
              about({ account_id, name, detail: { step } });
              return work(trx);
            }),
          dependencies,
          account_id,
        );
      });
      show(command, deleted, ({ account_id, display_name }) =>
        details({ Deleted: account_id, 'Display name': display_name }),
      );
    });
}

function questionAbout(account: { account_id: string; display_name: string | null }): string {
  const name = account.display_name === null ? '' : ` (${account.display_name})`;
  return `Delete account ${account.account_id}${name} with its site, keys, projects and metrics?`;
}

function addUsageCommand(accounts: Program): void {
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
