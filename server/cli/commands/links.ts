import { withAccount } from '#server/features/accounts/with-account.ts';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { accountOption, parseLimit } from '../argument.ts';
import { csv, details, examples, type Program, show, time } from '../output.ts';
import { withService } from '../with-service.ts';
import { LIMITS } from '#contract/limits.ts';
import { createInvitation } from '#server/features/accounts/invitation.ts';
import { readNames } from './accounts-from-file.ts';

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

export function addInviteCommand(program: Program): void {
  program
    .command('invite')
    .description('print a single-use sign-up link')
    .option(
      '--days <number>',
      'days until the link expires, up to 365',
      parseLimit(365, 'number of days'),
      7,
    )
    .option('--from <file>', 'print a link for each line of a CSV file, as CSV')
    .addHelpText(
      'after',
      `${examples('invite', 'invite --days 30', 'invite --from members.csv')}

The link begins with PUBLIC_URL, or without it with the address at which the server listens.
With DATABASE_URL, that address is made of HOST and PORT.
Invitations do not work while REGISTRATION is closed.`,
    )
    .action(async ({ days, from }, command) => {
      if (from !== undefined) {
        const people = await readNames(from);
        const list = await withService(
          'The invitations could not be created.',
          ({ change, findAddress }) =>
            change('invite', async (trx, about) => {
              about({ detail: { days, invitations: people.length } });
              const address = findAddress();
              const made = [];
              for (const { name } of people) {
                const { invitation_link, expires_at } = await createInvitation(
                  trx,
                  address,
                  days,
                  noteOf(name),
                );
                made.push({ name, invitation_link, expires_at });
              }
              return made;
            }),
          { setUp: true },
        );
        return show(command, list, (rows) =>
          csv(
            ['name', 'invitation_link', 'expires_at'],
            rows.map((row) => [row.name, row.invitation_link, row.expires_at.toISOString()]),
          ),
        );
      }
      const made = await withService(
        'The invitation could not be created.',
        ({ change, findAddress }) =>
          change('invite', async (trx, about) => {
            about({ detail: { days } });
            const { invitation_link, expires_at } = await createInvitation(
              trx,
              findAddress(),
              days,
            );
            return { invitation_link, expires_at };
          }),
        { setUp: true },
      );
      return show(command, made, ({ invitation_link, expires_at }) =>
        details({
          Invitation: invitation_link,
          Until: time(expires_at),
          '': 'It works once, for whoever has it.',
        }),
      );
    });
}

/** Note of an invitation from the first field of a line; a long one is cut off. */
function noteOf(name: string): string | null {
  return [...name.trim()].slice(0, LIMITS.invitationNote).join('') || null;
}
