import { readFile } from 'node:fs/promises';
import { Option } from '@commander-js/extra-typings';
import { LANGUAGES } from '#contract/languages.ts';
import { LIMITS } from '#contract/limits.ts';
import { decodeTextFile } from '#contract/decode-text-file.ts';
import { INVITATION_STATES } from '#contract/owner/operator-invitations.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import {
  deleteInvitation,
  type InvitationRow,
  listInvitations,
} from '#db/queries/sessions/invitations.ts';
import { checkMembers, type CheckedMember } from '#server/features/members/check-members.ts';
import {
  inviteMembers,
  type MemberList,
  resendInvitations,
} from '#server/features/members/invite-members.ts';
import { formatInvitationLinksCsv } from '#server/features/members/links-csv.ts';
import { type MemberRow, readMemberCsv } from '#server/features/members/read-member-csv.ts';
import { translatorFor } from '#server/language.ts';
import { parseLimit } from '../argument.ts';
import { CommandFailedError } from '../command-failed.ts';
import {
  examples,
  formatDetails,
  formatTable,
  formatTime,
  printResult,
  type Program,
} from '../output.ts';
import { withService } from '../with-service.ts';

const t = translatorFor('en');
const createLanguageOption = () =>
  new Option('--language <language>', 'of the mails').choices(LANGUAGES).default('en' as const);

const LINK_NOTE = `Links begin with PUBLIC_URL, which --mail requires together with SMTP_URL.`;

export function addMembersCommands(program: Program): void {
  const members = program
    .command('members')
    .description('invite people, and see who has answered')
    .addHelpText('after', examples('members import members.csv --dry-run', 'members list'));
  addImportCommand(members);

  members
    .command('list')
    .description('list invitations, newest first')
    .addOption(new Option('--state <state>', 'only these').choices(INVITATION_STATES))
    .option('--limit <number>', 'maximum number, up to 100000', parseLimit(100_000), 1_000)
    .addHelpText('after', examples('members list --state sent', 'members list --state failed'))
    .action(async ({ state, limit }, command) => {
      const list = await withService('The invitations could not be listed.', ({ db }) =>
        listInvitations(db, { state, limit }),
      );
      printResult(command, list, formatInvitations);
    });

  members
    .command('resend')
    .description('send new links to people who have not answered; their old links stop working')
    .argument('<ids...>', 'ids of invitations, from members list')
    .addOption(createLanguageOption())
    .addHelpText(
      'after',
      `${examples('members resend 6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10')}

Without a mail server, prints the new links as CSV.`,
    )
    .action(async (ids, { language }, command) => {
      const result = await withService('The invitations could not be sent.', (service) =>
        service.runAudited('members resend', async (trx, audit) => {
          const list = { ids: ids.map(parseId), language };
          const sent = await resendInvitations(trx, service, list);
          if (sent.resent === 0) throw new CommandFailedError('There is no such invitation.');
          audit({ detail: { invitations: sent.resent } });
          return sent;
        }),
      );
      printResult(command, result, ({ resent, links }) =>
        links ? formatInvitationLinksCsv(links) : formatDetails({ 'Sent again': String(resent) }),
      );
    });

  members
    .command('revoke')
    .description('delete an invitation; its link stops working')
    .argument('<id>', 'id of the invitation, from members list')
    .addHelpText('after', examples('members revoke 6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10'))
    .action(async (id, _options, command) => {
      await withService('The invitation could not be revoked.', ({ runAudited }) =>
        runAudited('members revoke', async (trx, audit) => {
          const invitation = parseId(id);
          const deleted = await deleteInvitation(trx, invitation);
          if (!deleted) throw new CommandFailedError('There is no such invitation.');
          audit({ detail: { invitation, note: deleted.name ?? deleted.note } });
        }),
      );
      printResult(command, { invitation_id: id }, () => formatDetails({ Revoked: id }));
    });
}

function addImportCommand(members: Pick<Program, 'command'>): void {
  members
    .command('import')
    .description('invite the people in a CSV file')
    .argument('<file>', 'CSV with a first line such as name,email,display_name,forward_to')
    .option('--dry-run', 'only check the file')
    .option('--mail', 'mail the invitations; otherwise their links are printed as CSV')
    .option(
      '--days <number>',
      'days until the invitations expire, up to 365',
      parseLimit(LIMITS.invitationDays, 'number of days'),
      14,
    )
    .addOption(createLanguageOption())
    .addHelpText(
      'after',
      `${examples('members import members.csv --dry-run', 'members import members.csv --mail')}

Only the column email is required. The columns first_name and last_name are joined to name. ${LINK_NOTE}
Lines with a problem are not invited: correct them and import the file again. Nobody is invited twice.`,
    )
    .action(async (file, { dryRun = false, mail: sendsMail = false, days, language }, command) => {
      const { columns, rows } = readMemberCsv(await readText(file));
      const unused = columns.filter(({ field }) => field === null).map(({ title }) => title);
      if (unused.length > 0) process.stderr.write(`Columns not used: ${unused.join(', ')}\n`);
      if (dryRun) {
        const checked = await withService(
          'The file could not be checked.',
          (service) => checkMembers(service.db, service, t, rows),
          { createTables: true },
        );
        printResult(command, checked, formatChecked);
        return failIfProblems(checked);
      }
      const result = await invite(rows, { days, sendsMail, language });
      printResult(command, result, ({ invited, links }) =>
        links ? formatInvitationLinksCsv(links) : formatDetails({ Invited: String(invited) }),
      );
      if (result.skipped.length > 0)
        process.stderr.write(`Not invited:\n${formatChecked(result.skipped)}\n`);
      failIfProblems(result.skipped);
    });
}

function invite(rows: readonly MemberRow[], options: Omit<MemberList, 'rows'>) {
  return withService(
    'The people could not be invited.',
    (service) =>
      service.runAudited('members import', async (trx, audit) => {
        const result = await inviteMembers(trx, service, t, { rows, ...options });
        const { batchId: batch, invited: invitations } = result;
        audit({ detail: { batch, invitations, days: options.days, mail: options.sendsMail } });
        return result;
      }),
    { createTables: true },
  );
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandFailedError(`The file cannot be read: ${error.message}.`);
  });
  const text = decodeTextFile(bytes);
  if (text === undefined)
    throw new CommandFailedError(`${file} is not a text file. Save your list as CSV.`);
  return text;
}

function parseId(id: string): string {
  if (!UUID_PATTERN.test(id)) throw new CommandFailedError(`${id} is not the id of an invitation.`);
  return id;
}

function failIfProblems(checked: readonly CheckedMember[]): void {
  const problems = checked.filter(({ state }) => state === 'problem').length;
  if (problems > 0)
    throw new CommandFailedError(
      problems === 1 ? '1 line has a problem.' : `${problems} lines have problems.`,
    );
}

function formatChecked(checked: readonly CheckedMember[]): string {
  return formatTable(
    ['Line', 'Name', 'Email', 'Display name', 'Forwards to', 'Problem', 'Suggestion'],
    checked.map(({ line, name, email, display_name, forward_to, problem }) => [
      String(line),
      name,
      email,
      display_name,
      forward_to,
      problem && problem.text,
      problem && problem.suggestion,
    ]),
    'No lines.',
  );
}

function formatInvitations(invitations: readonly InvitationRow[]): string {
  return formatTable(
    ['Id', 'For', 'Email', 'Display name', 'State', 'Used', 'Mail', 'Created', 'Expires'],
    invitations.map((row) => [
      row.id,
      row.name ?? row.note,
      row.email,
      row.display_name,
      row.state,
      `${row.uses} of ${row.max_uses}`,
      row.mail_error,
      formatTime(row.created_at),
      formatTime(row.expires_at),
    ]),
    'No invitations.',
  );
}
