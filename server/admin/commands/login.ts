import { withAccount } from '../../service/accounts/with-account.ts';
import { createLoginLink } from '../../service/sessions/login-link.ts';
import { accountOption } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, details, show } from '../output.ts';
import { withService } from '../with-service.ts';

export function addLoginCommand(program: Program): void {
  program
    .command('login')
    .description(
      'print a single-use link that logs in to the dashboard of an account within 10 minutes',
    )
    .addOption(accountOption)
    .addHelpText(
      'after',
      `${examples('login --account jane-doe')}

The link begins with PUBLIC_URL, or without it with the address at which the server listens.
With DATABASE_URL, HOST and PORT stand for that address.`,
    )
    .action(async ({ account }, command) => {
      const made = await withService('The link could not be created.', ({ change, findAddress }) =>
        change('login', (trx, about) =>
          withAccount(trx, account, async (_trx, { account_id }) => {
            about({ account_id });
            const login_link = await createLoginLink(trx, account_id, findAddress());
            return { account_id, login_link };
          }),
        ),
      );
      show(command, made, ({ login_link }) =>
        details({
          'Login link': login_link,
          '': 'It works once, within 10 minutes, for whoever has it.',
        }),
      );
    });
}
