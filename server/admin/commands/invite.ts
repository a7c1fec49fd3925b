import { createInvitation } from '../../service/accounts/invitation.ts';
import { limit } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, details, show, time } from '../output.ts';
import { withService } from '../with-service.ts';

export function addInviteCommand(program: Program): void {
  program
    .command('invite')
    .description('print a single-use sign-up link')
    .option(
      '--days <number>',
      'days until the link expires, up to 365',
      limit(365, 'number of days'),
      7,
    )
    .addHelpText(
      'after',
      `${examples('invite', 'invite --days 30')}

The link begins with PUBLIC_URL, or without it with the address at which the server listens.
With DATABASE_URL, that address is made of HOST and PORT.
Invitations do not work while REGISTRATION is closed.`,
    )
    .action(async ({ days }, command) => {
      const made = await withService(
        'The invitation could not be made.',
        ({ change, findAddress }) =>
          change('invite', async (trx, about) => {
            about({ detail: { days } });
            return createInvitation(trx, findAddress(), days);
          }),
        { setUp: true },
      );
      show(command, made, ({ invitation_link, expires_at }) =>
        details({
          Invitation: invitation_link,
          Until: time(expires_at),
          '': 'It works once, for whoever has it.',
        }),
      );
    });
}
