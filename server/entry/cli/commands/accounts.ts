import { UpdateDisplayNameRequest } from '#contract/account.ts';
import { createAccount } from '#server/features/accounts/create-account.ts';
import { deleteAccount } from '#server/features/accounts/delete-account.ts';
import { requireAccount, withAccount } from '#server/features/accounts/with-account.ts';
import { changeDisplayName } from '#server/features/names/change-display-name.ts';
import { openDraft } from '#server/platform/draft-file.ts';
import { AccountReference, parseWith } from '../argument.ts';
import { requireConfirmation, requireTerminal } from '../confirm.ts';
import {
  formatDetails,
  examples,
  type Program,
  printResult,
  colored,
  formatMegabytes,
} from '../output.ts';
import { withService } from '../with-service.ts';
import { addSuspendCommands } from './accounts-suspend.ts';

const DisplayName = UpdateDisplayNameRequest.shape.display_name;

export function addAccountsCommands(program: Program): void {
  const accounts = program
    .command('accounts')
    .description('create, rename, suspend, export and delete accounts')
    .addHelpText('after', examples('accounts create', 'accounts suspend jane-doe'));
  addCreateCommand(accounts);
  addRenameCommand(accounts);
  addSuspendCommands(accounts);
  addExportCommand(accounts);
  addDeleteCommand(accounts);
}

function addCreateCommand(accounts: Program): void {
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

function addRenameCommand(accounts: Program): void {
  accounts
    .command('rename')
    .description('change the display name of an account; this turns off its email forwarding')
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .argument('<new-name>', 'new display name', parseWith(DisplayName))
    .addHelpText('after', examples('accounts rename jane-doe "Jane Roe"'))
    .action(async (account, input, _options, command) => {
      const renamed = await withService('The account could not be renamed.', (service) =>
        service.runAudited('accounts rename', async (trx, audit) => {
          const { account_id } = await requireAccount(trx, account);
          const { from, to } = await changeDisplayName(trx, service, {
            accountId: account_id,
            input,
            isByOperator: true,
          });
          audit({ account_id, detail: { from } });
          return { account_id, display_name: to, previous_display_name: from };
        }),
      );
      printResult(command, renamed, ({ account_id, display_name, previous_display_name }) =>
        formatDetails({
          Account: account_id,
          'Display name': display_name,
          Before: previous_display_name,
          Forwarding: 'off',
        }),
      );
    });
}

function addDeleteCommand(accounts: Program): void {
  accounts
    .command('delete')
    .description('delete an account with its site, keys, projects and metrics')
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('accounts delete jane-doe', 'accounts delete jane-doe --yes'))
    .action(async (account, { yes }, command) => {
      if (!yes) requireTerminal(command);
      const failure = 'The account could not be deleted.';
      const deleted = await withService(failure, async ({ db, runAudited, ...dependencies }) => {
        const target = await withAccount(db, account, async (_trx, row) => row);
        if (!yes) await requireConfirmation(deletionPrompt(target));
        const { account_id, display_name: name } = target;
        return deleteAccount(
          db,
          (step, work) =>
            runAudited('accounts delete', (trx, audit) => {
              audit({ account_id, name, detail: { step } });
              return work(trx);
            }),
          dependencies,
          account_id,
        );
      });
      printResult(command, deleted, ({ account_id, display_name }) =>
        formatDetails({ Deleted: account_id, 'Display name': display_name }),
      );
    });
}

function deletionPrompt(account: { account_id: string; display_name: string | null }): string {
  const name = account.display_name === null ? '' : ` (${account.display_name})`;
  return `Delete account ${account.account_id}${name} with its site, keys, projects and metrics?`;
}

function addExportCommand(accounts: Program): void {
  accounts
    .command('export')
    .description('write all data of an account to a ZIP file, as its owner could')
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .argument('<file>', 'ZIP file to create; only you can read it')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', examples('accounts export jane-doe jane-doe.zip'))
    .action(async (account, file, { force = false }, command) => {
      const exported = await withService(
        'The account could not be exported.',
        async ({ db, runAudited }) => {
          const target = await withAccount(db, account, async (_trx, row) => row);
          const { account_id, display_name } = target;
          await using draft = await openDraft(file, { replace: force });
          await runAudited('accounts export', async (_trx, audit) =>
            audit({ account_id, name: display_name }),
          );
          const { exportAccount } = await import('#server/features/accounts/export-account.ts');
          const bytes = await draft.write(await exportAccount(db, account_id));
          return { account_id, display_name, file, bytes };
        },
      );
      printResult(command, exported, ({ account_id, display_name, bytes }) =>
        formatDetails({
          Account: account_id,
          'Display name': display_name,
          File: `${file} (${formatMegabytes(bytes)})`,
        }),
      );
    });
}
