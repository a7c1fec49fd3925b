import { withAccount } from '#server/features/accounts/with-account.ts';
import { openDraft } from '#server/platform/draft-file.ts';
import { AccountReference, parseWith } from '../argument.ts';
import { examples, formatDetails, formatMegabytes, type Program, printResult } from '../output.ts';
import { withService } from '../with-service.ts';

export function addExportCommand(accounts: Program): void {
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
