import { listPageViews } from '#db/queries/sites/page-visits.ts';
import { listPages, setPageSuspension } from '#db/queries/sites/public-sites.ts';
import { today } from '#server/utc-date.ts';
import { requireAccount, withAccount } from '#server/features/accounts/with-account.ts';
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

const VIEW_DAYS = 30;

export function addPagesCommands(program: Program): void {
  const pages = program
    .command('pages')
    .description('list public pages, show their views, and suspend or restore them')
    .addHelpText('after', examples('pages list', 'pages suspend jane-doe'));

  pages
    .command('list')
    .description('list public and suspended pages')
    .option('--suspended', 'only suspended pages')
    .option('--limit <number>', 'maximum number of pages, up to 100000', parseLimit(100_000), 100)
    .addHelpText('after', examples('pages list --suspended', 'pages list --limit 1000 --json'))
    .action(async ({ suspended = false, limit }, command) => {
      const list = await withService('The pages could not be listed.', ({ db }) =>
        listPages(db, { suspended, limit }),
      );
      printResult(command, list, (rows) =>
        formatTable(
          ['Name', 'Account', 'Shown', 'Suspended'],
          rows.map((row) => [
            row.name,
            row.account_id,
            row.visible ? colored('good', 'yes') : 'no',
            colored('bad', formatTime(row.suspended_at)),
          ]),
          suspended ? 'No page is suspended.' : 'There are no pages.',
        ),
      );
    });

  pages
    .command('views')
    .description('show the daily views of the page of an account (UTC)')
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .addHelpText('after', examples('pages views jane-doe'))
    .action(async (account, _options, command) => {
      const list = await withService('The views could not be listed.', ({ db }) =>
        withAccount(db, account, (trx, { account_id }) =>
          listPageViews(trx, account_id, { until: today(), days: VIEW_DAYS }),
        ),
      );
      printResult(command, list, (rows) =>
        formatTable(
          ['Day', 'Views'],
          rows.map(({ day, views }) => [day, String(views)]),
          '',
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
