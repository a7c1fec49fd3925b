import { listPageViews } from '../../../db/queries/page-views.ts';
import { listPages, setPageSuspended } from '../../../db/queries/public-sites.ts';
import { today } from '../../service/allowances/waiting.ts';
import { withAccount } from '../../service/accounts/with-account.ts';
import { AccountReference, checked, limit } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, details, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

/** Days that one sees the views of. */
const VIEW_DAYS = 30;

export function addPagesCommands(program: Program): void {
  const pages = program
    .command('pages')
    .description('list public pages, count their views, take one down and bring it back')
    .addHelpText('after', examples('pages list', 'pages suspend jane-doe'));

  pages
    .command('list')
    .description('list the pages that everybody can see, and those that are suspended')
    .option('--suspended', 'only those that are suspended')
    .option('--limit <number>', 'pages at most, up to 100000', limit(100_000), 100)
    .addHelpText('after', examples('pages list --suspended', 'pages list --limit 1000 --json'))
    .action(async ({ suspended = false, limit: most }, command) => {
      const list = await withService('The pages could not be listed.', ({ db }) =>
        listPages(db, { suspended, limit: most }),
      );
      show(command, list, (rows) =>
        table(
          ['Name', 'Account', 'Shown', 'Suspended'],
          rows.map((row) => [
            row.name,
            row.account_id,
            row.visible ? 'yes' : 'no',
            time(row.suspended_at),
          ]),
          suspended ? 'No page is suspended.' : 'There are no pages.',
        ),
      );
    });

  pages
    .command('views')
    .description('tell how often people opened the page of an account, day by day (UTC)')
    .argument('<name-or-id>', 'display name or id of the account', checked(AccountReference))
    .addHelpText('after', examples('pages views jane-doe'))
    .action(async (account, _options, command) => {
      const list = await withService('The views could not be listed.', ({ db }) =>
        withAccount(db, account, (trx, { account_id }) =>
          listPageViews(trx, account_id, { until: today(), days: VIEW_DAYS }),
        ),
      );
      show(command, list, (rows) =>
        table(
          ['Day', 'Views'],
          rows.map(({ day, views }) => [day, String(views)]),
          '',
        ),
      );
    });

  addCommand(pages, {
    name: 'suspend',
    description: 'show the page of an account to nobody, whatever its owner says; all else goes on',
    suspended: true,
    failure: 'The page could not be suspended.',
  });
  addCommand(pages, {
    name: 'restore',
    description: 'end that: the page is shown again if its owner shows it',
    suspended: false,
    failure: 'The page could not be restored.',
  });
}

function addCommand(
  pages: Program,
  made: { name: string; description: string; suspended: boolean; failure: string },
): void {
  pages
    .command(made.name)
    .description(made.description)
    .argument('<name-or-id>', 'display name or id of the account', checked(AccountReference))
    .addHelpText('after', examples(`pages ${made.name} jane-doe`))
    .action(async (account, _options, command) => {
      const changed = await withService(made.failure, ({ change }) =>
        change(`pages ${made.name}`, (trx, about) =>
          withAccount(trx, account, async (_same, { account_id, display_name }) => {
            about({ account_id });
            const suspended_at = await setPageSuspended(trx, account_id, made.suspended);
            return { account_id, display_name, suspended_at };
          }),
        ),
      );
      show(command, changed, ({ account_id, display_name, suspended_at }) =>
        details({ Page: display_name, Account: account_id, Suspended: time(suspended_at) }),
      );
    });
}
