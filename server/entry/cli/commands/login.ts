import { LOGIN_LINK_MINUTES } from '#contract/shared/durations.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { listOperators } from '#db/queries/operators.ts';
import { requireDecidedAccount } from '#server/features/accounts/require-account.ts';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { CommandFailedError } from '../command-failed.ts';
import { formatDetails, examples, type Program, printResult } from '../output.ts';
import { withService } from '../with-service.ts';

export function addLoginCommand(program: Program): void {
  program
    .command('login')
    .description(
      `print a single-use link that logs in to an account; it is valid for ${LOGIN_LINK_MINUTES} minutes`,
    )
    .option(
      '--account <name-or-id>',
      'display name or id of the account (default: the only operator)',
    )
    .addHelpText(
      'after',
      `${examples('login', 'login --account jane-doe')}

The link begins with PUBLIC_URL. Without PUBLIC_URL, it begins with the address of the running
server, or with HOST and PORT if DATABASE_URL is set.`,
    )
    .action(async ({ account }, command) => {
      const created = await withService('The link could not be created.', ({ runAudited, app }) =>
        runAudited('login', async (trx, audit) => {
          const { account_id, display_name } = await requireDecidedAccount(
            trx,
            account ?? (await findOnlyOperator(trx)),
          );
          audit({ account_id });
          const login_url = await createLoginLink(trx, account_id, app.origin());
          return { account_id, display_name, login_url };
        }),
      );
      printResult(command, created, ({ account_id, display_name, login_url }) =>
        formatDetails({
          Account: display_name ?? account_id,
          'Login link': login_url,
          '': `Anyone with the link can log in once, within ${LOGIN_LINK_MINUTES} minutes.`,
        }),
      );
    });
}

async function findOnlyOperator(trx: Transaction): Promise<string> {
  const [first, ...others] = await listOperators(trx);
  if (!first) throw new CommandFailedError('There is no operator. Name an account with --account.');
  if (others.length === 0) return first.account_id;
  const names = [first, ...others].map(
    ({ account_id, display_name }) => display_name ?? account_id,
  );
  throw new CommandFailedError(`Name one of the operators with --account: ${names.join(', ')}.`);
}
