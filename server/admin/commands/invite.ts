import { LIMITS } from '../../../contract/limits.ts';
import { atOnce } from '../../../db/connections/transaction.ts';
import { createInvitation } from '../../service/accounts/invitation.ts';
import { parseLimit } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, csv, details, show, time } from '../output.ts';
import { withService } from '../with-service.ts';
import { readNames } from './accounts-from-file.ts';

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
              const made = await atOnce(
                ...people.map(({ name }) => createInvitation(trx, address, days, noteOf(name))),
              );
              return made.map(({ invitation_link, expires_at }, index) => ({
                name: people[index]!.name,
                invitation_link,
                expires_at,
              }));
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
