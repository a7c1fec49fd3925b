import { withAccount } from '#server/features/accounts/with-account.ts';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { accountOption, parseLimit } from '../argument.ts';
import {
  formatCsv,
  formatDetails,
  examples,
  type Program,
  printResult,
  formatTime,
} from '../output.ts';
import { withService } from '../with-service.ts';
import { LIMITS } from '#contract/limits.ts';
import { createInvitation } from '#server/features/accounts/invitation.ts';
import { readNames } from './accounts-from-file.ts';

export function addLoginCommand(program: Program): void {
  program
    .command('login')
    .description('print a single-use link that logs in to an account; it is valid for 10 minutes')
    .addOption(accountOption)
    .addHelpText(
      'after',
      `${examples('login --account jane-doe')}

The link begins with PUBLIC_URL. Without PUBLIC_URL, it begins with the address of the running
server, or with HOST and PORT if DATABASE_URL is set.`,
    )
    .action(async ({ account }, command) => {
      const created = await withService(
        'The link could not be created.',
        ({ runAudited, findBaseUrl }) =>
          runAudited('login', (trx, audit) =>
            withAccount(trx, account, async (_trx, { account_id }) => {
              audit({ account_id });
              const login_link = await createLoginLink(trx, account_id, findBaseUrl());
              return { account_id, login_link };
            }),
          ),
      );
      printResult(command, created, ({ login_link }) =>
        formatDetails({
          'Login link': login_link,
          '': 'Anyone with the link can log in once, within 10 minutes.',
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

The link begins with PUBLIC_URL. Without PUBLIC_URL, it begins with the address of the running
server, or with HOST and PORT if DATABASE_URL is set.
Invitations do not work while REGISTRATION is closed.`,
    )
    .action(async ({ days, from }, command) => {
      if (from !== undefined) {
        const lines = await readNames(from);
        const list = await withService(
          'The invitations could not be created.',
          ({ runAudited, findBaseUrl }) =>
            runAudited('invite', async (trx, audit) => {
              audit({ detail: { days, invitations: lines.length } });
              const baseUrl = findBaseUrl();
              const invitations = [];
              for (const { name } of lines) {
                const { invitation_link, expires_at } = await createInvitation(
                  trx,
                  baseUrl,
                  days,
                  toNote(name),
                );
                invitations.push({ name, invitation_link, expires_at });
              }
              return invitations;
            }),
          { createTables: true },
        );
        return printResult(command, list, (rows) =>
          formatCsv(
            ['name', 'invitation_link', 'expires_at'],
            rows.map((row) => [row.name, row.invitation_link, row.expires_at.toISOString()]),
          ),
        );
      }
      const invitation = await withService(
        'The invitation could not be created.',
        ({ runAudited, findBaseUrl }) =>
          runAudited('invite', async (trx, audit) => {
            audit({ detail: { days } });
            const { invitation_link, expires_at } = await createInvitation(
              trx,
              findBaseUrl(),
              days,
            );
            return { invitation_link, expires_at };
          }),
        { createTables: true },
      );
      return printResult(command, invitation, ({ invitation_link, expires_at }) =>
        formatDetails({
          Invitation: invitation_link,
          Until: formatTime(expires_at),
          '': 'Anyone with the link can use it, but only once.',
        }),
      );
    });
}

function toNote(name: string): string | null {
  return [...name.trim()].slice(0, LIMITS.invitationNote).join('') || null;
}
