import { listSuspendedPages, setPageSuspension } from '#db/queries/public-sites.ts';
import { requireAccount } from '#server/features/accounts/with-account.ts';
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

export function addPagesCommands(program: Program): void {
  const pages = program
    .command('pages')
    .description('suspend pages, restore them, and list suspended ones')
    .addHelpText('after', examples('pages suspend jane-doe', 'pages list'));

  pages
    .command('list')
    .description('list suspended pages')
    .option('--limit <number>', 'maximum number of pages, up to 100000', parseLimit(100_000), 100)
    .addHelpText('after', examples('pages list'))
    .action(async ({ limit }, command) => {
      const list = await withService('The pages could not be listed.', ({ db }) =>
        listSuspendedPages(db, limit),
      );
      printResult(command, list, (rows) =>
        formatTable(
          ['Name', 'Account', 'Suspended'],
          rows.map((row) => [row.name, row.account_id, formatTime(row.suspended_at)]),
          'No page is suspended.',
        ),
      );
    });

  addCommand(pages, {
    name: 'suspend',
    description: 'hide the page of an account; its keys and mail keep working',
    suspended: true,
    failure: 'The page could not be suspended.',
  });
  addCommand(pages, {
    name: 'restore',
    description: 'end the suspension of a page; it is public again if its owner published it',
    suspended: false,
    failure: 'The page could not be restored.',
  });
}

function addCommand(
  pages: Program,
  options: { name: string; description: string; suspended: boolean; failure: string },
): void {
  pages
    .command(options.name)
    .description(options.description)
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .addHelpText('after', examples(`pages ${options.name} jane-doe`))
    .action(async (account, _options, command) => {
      const changed = await withService(options.failure, ({ runAudited }) =>
        runAudited(`pages ${options.name}`, async (trx, audit) => {
          const { account_id, display_name } = await requireAccount(trx, account);
          audit({ account_id });
          const suspended_at = await setPageSuspension(trx, account_id, options.suspended);
          return { account_id, display_name, suspended_at };
        }),
      );
      printResult(command, changed, ({ account_id, display_name, suspended_at }) =>
        formatDetails({
          Page: display_name,
          Account: account_id,
          Suspended: colored('bad', formatTime(suspended_at)),
        }),
      );
    });
}
