import type { QueueState } from '#db/queries/jobs.ts';
import { parseLimit } from '../argument.ts';
import { details, examples, megabytes, type Program, show, table, time, toned } from '../output.ts';
import type { Status } from '../read-status.ts';
import { withOpened } from '../with-service.ts';
import { usageTable } from '../usage-table.ts';

const ago = new Intl.RelativeTimeFormat('en');

export function addStatusCommand(program: Program): void {
  program
    .command('status')
    .description('show an overview: versions, sizes, accounts, mail and job queue')
    .option('--accounts <number>', 'number of accounts to list, up to 1000', parseLimit(1_000), 5)
    .addHelpText('after', examples('status', 'status --json'))
    .action(async ({ accounts }, command) => {
      const status = await withOpened(
        'Could not read the status.',
        async () => {
          const { openStatus } = await import('../read-status.ts');
          return openStatus();
        },
        ({ read }) => read(accounts),
      );
      show(command, status, showStatus);
    });
}

function showStatus({ version, database, migrations, limits, service }: Status): string {
  const { due, unknown } = migrations;
  const parts = [
    details({
      Version: version,
      Database: `${database.place}, version ${database.version}, ${megabytes(database.bytes)}`,
      Writes: database.read_only
        ? toned('bad', 'refused: the database is read-only')
        : toned('good', 'taken'),
      Migrations:
        unknown.length > 0
          ? toned('bad', `of a newer version: ${unknown.join(', ')}`)
          : due.length > 0
            ? toned('warning', `${due.length} due: ${due.join(', ')}`)
            : toned('good', 'up to date'),
      ...(service && showService(service)),
    }),
    table(
      ['Table', 'Size', 'Rows (approx.)'],
      database.tables.map(({ name, bytes, rows }) => [
        name,
        megabytes(bytes),
        rows === null ? null : String(rows),
      ]),
      'There are no tables.',
    ),
  ];
  if (service) parts.push(usageTable(limits, service.accounts.usage));
  return parts.join('\n\n');
}

function showService(service: NonNullable<Status['service']>) {
  const { metrics, accounts, forwarding, reports, queue, last_backup_at } = service;
  const { count, names } = forwarding.unsettled;
  const worst = names.find(({ last_error }) => last_error !== null);
  return {
    'Metrics until': `${metrics.partitioned_until?.slice(0, 10) ?? 'never'}, ${metrics.months_ahead} months ahead`,
    Accounts: `${accounts.all} (${accounts.suspended} suspended)`,
    Forwarding: `${forwarding.provider}, waiting names: ${count}${worst ? ` (${worst.name}: ${worst.last_error})` : ''}`,
    Reports: toned(reports.open > 0 ? 'warning' : 'good', `${reports.open} open`),
    'Last backup': last_backup_at ? `${time(last_backup_at)}, ${age(last_backup_at)}` : 'never',
    ...Object.fromEntries(queue.map((state) => [`Jobs: ${state.kind}`, showQueue(state)])),
  };
}

function age(at: Date): string {
  // The database's clock may be ahead.
  const hours = Math.max(0, Math.floor((Date.now() - at.getTime()) / 3_600_000));
  return hours < 48 ? ago.format(-hours, 'hour') : ago.format(-Math.floor(hours / 24), 'day');
}

function showQueue({ waiting, retried, active, failed, oldest_at }: QueueState): string {
  const since =
    oldest_at === null ? '' : ` (since ${time(oldest_at)}, after a failure: ${retried})`;
  return `waiting: ${waiting}${since}, active: ${active}, failed: ${failed}`;
}
