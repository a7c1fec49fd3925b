import type { QueueState } from '#db/queries/jobs.ts';
import { DAY_MS, HOUR_MS } from '#contract/shared/durations.ts';
import {
  formatDetails,
  examples,
  formatMegabytes,
  type Program,
  printResult,
  formatTable,
  formatTime,
  colored,
} from '../output.ts';
import type { Status } from '../status-reader.ts';
import { withResource } from '../with-service.ts';

const relativeTime = new Intl.RelativeTimeFormat('en');

export function addStatusCommand(program: Program): void {
  program
    .command('status')
    .description('show an overview: versions, sizes, accounts, mail and job queue')
    .addHelpText('after', examples('status', 'status --json'))
    .action(async (_options, command) => {
      const status = await withResource(
        'Could not read the status.',
        async () => {
          const { openStatusReader: openStatus } = await import('../status-reader.ts');
          return openStatus();
        },
        ({ read }) => read(),
      );
      printResult(command, status, formatStatus);
    });
}

function formatStatus({ version, database, migrations, service }: Status): string {
  const { due, unknown } = migrations;
  return [
    formatDetails({
      Version: version,
      Database: `${database.description}, version ${database.version}, ${formatMegabytes(database.bytes)}`,
      Writes: database.read_only
        ? colored('bad', 'refused: the database is read-only')
        : colored('good', 'accepted'),
      Migrations:
        unknown.length > 0
          ? colored('bad', `from a newer version: ${unknown.join(', ')}`)
          : due.length > 0
            ? colored('warning', `${due.length} pending: ${due.join(', ')}`)
            : colored('good', 'up to date'),
      ...(service && formatService(service)),
    }),
    formatTable(
      ['Table', 'Size', 'Rows (approx.)'],
      database.tables.map(({ name, bytes, rows }) => [
        name,
        formatMegabytes(bytes),
        rows === null ? null : String(rows),
      ]),
      'There are no tables.',
    ),
  ].join('\n\n');
}

function formatService(service: NonNullable<Status['service']>) {
  const { metrics, accounts, forwarding, reports, queue, last_backup_at } = service;
  const { count, names } = forwarding.unsettled;
  const failing = names.find(({ last_error }) => last_error !== null);
  return {
    'Metrics until': `${metrics.partitioned_until?.slice(0, 10) ?? 'never'}, ${metrics.months_ahead} months ahead`,
    Accounts: `${accounts.all} (${accounts.suspended} suspended)`,
    Forwarding: `${forwarding.provider}, unsynced names: ${count}${failing ? ` (${failing.name}: ${failing.last_error})` : ''}`,
    Reports: colored(reports.open > 0 ? 'warning' : 'good', `${reports.open} open`),
    'Last backup': last_backup_at
      ? `${formatTime(last_backup_at)}, ${formatAge(last_backup_at)}`
      : 'never',
    ...Object.fromEntries(queue.map((state) => [`Jobs: ${state.kind}`, formatQueue(state)])),
  };
}

function formatAge(time: Date): string {
  // The database's clock may be ahead, so the age could be negative.
  const hours = Math.max(0, Math.floor((Date.now() - time.getTime()) / HOUR_MS));
  const days = Math.floor(Date.now() / DAY_MS) - Math.floor(time.getTime() / DAY_MS);
  return hours < 48 ? relativeTime.format(-hours, 'hour') : relativeTime.format(-days, 'day');
}

function formatQueue({ waiting, awaiting_retry, active, failed, oldest_at }: QueueState): string {
  const since =
    oldest_at === null
      ? ''
      : ` (since ${formatTime(oldest_at)}, after a failure: ${awaiting_retry})`;
  return `waiting: ${waiting}${since}, active: ${active}, failed: ${failed}`;
}
