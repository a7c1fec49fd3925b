import { Option } from '@commander-js/extra-typings';
import { type AuditEntryRow, listAuditEntries } from '#db/queries/audit-log.ts';
import { AccountReference, checked, parseLimit } from '../argument.ts';
import { csv, examples, type Program, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

const LIST = 'audit list --account jane-doe';

export function addAuditCommands(program: Program): void {
  const audit = program
    .command('audit')
    .description('list what administrators did')
    .addHelpText('after', examples(LIST));

  audit
    .command('list')
    .description('list what administrators did, newest first')
    .option(
      '--account <name-or-id>',
      'only about this account: its id or any name it had, even if it was deleted',
      checked(AccountReference),
    )
    .option('--limit <number>', 'maximum number of lines, up to 100000', parseLimit(100_000), 50)
    .addOption(new Option('--format <format>', 'output format').choices(['table', 'csv']))
    .addHelpText('after', examples(LIST, 'audit list --limit 1000 --format csv'))
    .action(async ({ account, limit, format }, command) => {
      if (command.optsWithGlobals().json && format !== undefined)
        command.error(`error: --json and --format ${format} exclude each other`);
      const entries = await withService('The audit trail could not be listed.', ({ db }) =>
        listAuditEntries(db, { account, limit }),
      );
      show(command, entries, format === 'csv' ? asCsv : asTable);
    });
}

function asTable(entries: AuditEntryRow[]): string {
  return table(
    ['Time', 'Who', 'Via', 'Action', 'Account', 'Name', 'Key or project', 'Detail'],
    entries.map((entry) => [
      time(entry.created_at),
      entry.who,
      entry.via,
      entry.action,
      entry.account_id,
      entry.name,
      entry.key_id ?? entry.project_id,
      JSON.stringify(entry.detail),
    ]),
    'There are no such entries.',
  );
}

const COLUMNS = [
  'created_at',
  'who',
  'via',
  'action',
  'account_id',
  'name',
  'project_id',
  'key_id',
] as const;

function asCsv(entries: AuditEntryRow[]): string {
  const rows = entries.map((entry) => [
    entry.created_at.toISOString(),
    ...COLUMNS.slice(1).map((column) => entry[column] as string | null),
    JSON.stringify(entry.detail),
  ]);
  return csv([...COLUMNS, 'detail'], rows);
}
