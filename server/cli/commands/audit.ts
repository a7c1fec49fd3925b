import { Option } from '@commander-js/extra-typings';
import { type AuditEntryRow, listAuditEntries } from '#db/queries/audit-log.ts';
import { AccountReference, parseWith, parseLimit } from '../argument.ts';
import { formatCsv } from '#server/format-csv.ts';
import { examples, type Program, printResult, formatTable, formatTime } from '../output.ts';
import { withService } from '../with-service.ts';

const EXAMPLE = 'audit list --account jane-doe';

export function addAuditCommands(program: Program): void {
  const audit = program
    .command('audit')
    .description('list what administrators did')
    .addHelpText('after', examples(EXAMPLE));

  audit
    .command('list')
    .description('list what administrators did, newest first')
    .option(
      '--account <name-or-id>',
      'only this account: its id or any name it had; deleted accounts, too',
      parseWith(AccountReference),
    )
    .option('--limit <number>', 'maximum number of entries, up to 100000', parseLimit(100_000), 50)
    .addOption(new Option('--format <format>', 'output format').choices(['table', 'csv']))
    .addHelpText('after', examples(EXAMPLE, 'audit list --limit 1000 --format csv'))
    .action(async ({ account, limit, format }, command) => {
      if (command.optsWithGlobals().json && format !== undefined)
        command.error(`error: --json and --format ${format} cannot be combined`);
      const entries = await withService('The audit trail could not be listed.', ({ db }) =>
        listAuditEntries(db, { account, limit }),
      );
      printResult(command, entries, format === 'csv' ? formatEntriesCsv : formatEntries);
    });
}

function formatEntries(entries: AuditEntryRow[]): string {
  return formatTable(
    ['Time', 'Who', 'Via', 'Action', 'Account', 'Name', 'Key or project', 'Detail'],
    entries.map((entry) => [
      formatTime(entry.created_at),
      entry.who,
      entry.via,
      entry.action,
      entry.account_id,
      entry.name,
      entry.key_id ?? entry.project_id,
      JSON.stringify(entry.detail),
    ]),
    'No entries.',
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

function formatEntriesCsv(entries: AuditEntryRow[]): string {
  const rows = entries.map((entry) => [
    entry.created_at.toISOString(),
    ...COLUMNS.slice(1).map((column) => entry[column] as string | null),
    JSON.stringify(entry.detail),
  ]);
  return formatCsv([...COLUMNS, 'detail'], rows);
}
