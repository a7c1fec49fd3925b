import { UpdateDisplayNameRequest } from '#contract/account.ts';
import { InvalidArchiveError } from '#db/backup/zip-file.ts';
import { withAccount } from '#server/features/accounts/with-account.ts';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { AccountReference, parseLimit, parseWith } from '../argument.ts';
import { openDraft } from '#server/platform/draft-file.ts';
import { CommandFailedError } from '../command-failed.ts';
import { examples, formatDetails, formatMegabytes, type Program, printResult } from '../output.ts';
import { withService } from '../with-service.ts';

const DisplayName = UpdateDisplayNameRequest.shape.display_name;

export function addMoveCommands(accounts: Program): void {
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

  accounts
    .command('import')
    .description('create an account from a ZIP file that an owner or accounts export downloaded')
    .argument('<file>', 'ZIP file with the data of one account')
    .option(
      '--display-name <name>',
      'another display name, if the one in the file is taken',
      parseWith(DisplayName),
    )
    .option(
      '--max-megabytes <number>',
      'largest size of the unpacked file, in MB',
      parseLimit(1_000_000),
      1_000,
    )
    .addHelpText(
      'after',
      `${examples('accounts import jane-doe.zip', 'accounts import jane-doe.zip --display-name jane')}

Imports display name, page, pictures, projects and metrics, all or nothing. Keys, passkeys, webhooks,
alerts, email addresses and domains have to be added again.`,
    )
    .action(async (file, { displayName, maxMegabytes }, command) => {
      const imported = await withService('The account could not be imported.', (service) =>
        service.runAudited('accounts import', async (trx, audit) => {
          const { importAccount } = await import('#server/features/accounts/import-account.ts');
          const onProgress = (metrics: number) => {
            if (process.stderr.isTTY) process.stderr.write(`\r${metrics} metrics`);
          };
          const options = { file, displayName, maxBytes: maxMegabytes * 1_000_000, onProgress };
          const account = await importAccount(trx, service, options).catch(explainImportFailure);
          audit({ account_id: account.account_id });
          const login_link = await createLoginLink(trx, account.account_id, service.origin());
          return { ...account, login_link };
        }),
      );
      if (process.stderr.isTTY) process.stderr.write('\n');
      printResult(command, imported, (account) =>
        formatDetails({
          Account: account.account_id,
          'Display name': account.display_name,
          Pictures: String(account.pictures),
          Projects: String(account.projects),
          Metrics: String(account.metrics),
          'Login link': account.login_link,
          '': 'Anyone with the link can log in once, within 10 minutes.',
        }),
      );
    });
}

function explainImportFailure(error: unknown): never {
  if (error instanceof InvalidArchiveError) throw new CommandFailedError(error.message);
  if (error instanceof RefusalError && error.code.startsWith('displayName'))
    throw new CommandFailedError(`${error.message} Choose another one with --display-name.`);
  throw error;
}
