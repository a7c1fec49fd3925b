import { writeFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { insertMetricDeletion } from '#db/queries/metrics/metric-deletions.ts';
import { updateMetricDays } from '#db/queries/projects.ts';
import { EXPORT_FORMATS } from '#contract/metric-params.ts';
import { exportMetrics } from '#server/features/metrics/export-metrics.ts';
import { sweepMetrics } from '#server/features/metrics/sweep-metrics.ts';
import { checked, projectAccountOption, ProjectReference } from '../argument.ts';
import { demandConsent, demandTerminal } from '../confirm.ts';
import { details, escaped, examples, type Program, show } from '../output.ts';
import { projectFinder } from '../project-finder.ts';
import { withService } from '../with-service.ts';

const TIME =
  'A time is ISO 8601: 2026-01-31T09:30:00Z, 2026-01-31T10:30:00+01:00, or 2026-01-31 for midnight UTC.';

/** A point in time; a date alone is its midnight. Becomes UTC. */
const Time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], TIME)
  .transform((time) => {
    if (time.endsWith('Z')) return time;
    return time.includes('T') ? new Date(time).toISOString() : `${time}T00:00:00Z`;
  })
  .refine((time) => /^(?!0000)\d{4}-/.test(time), TIME);

const DAYS = 'Days are a whole number from 0 to 3660.';

const Days = z.coerce.number(DAYS).int(DAYS).min(0, DAYS).max(LIMITS.queryDays, DAYS);

const EXAMPLE = 'metrics export --project Shop --account jane-doe';
const BY_ID = 'metrics export --project 1cd4187b-5ece-4b22-b829-dc6244294b43';
const DELETE = EXAMPLE.replace('export', 'delete');
const KEEP = `${EXAMPLE.replace('export', 'keep')} --days 90`;

export function addMetricsCommands(program: Program): void {
  const metrics = program
    .command('metrics')
    .description('export and delete metrics, and set how long they are kept')
    .addHelpText('after', examples(EXAMPLE, KEEP));

  metrics
    .command('export')
    .description('write the metrics of a project, oldest first, one per line')
    .requiredOption(
      '--project <name-or-id>',
      'name or id of the project',
      checked(ProjectReference),
    )
    .addOption(projectAccountOption)
    .addOption(
      new Option('--format <format>', 'output format; --json is the same as --format json')
        .choices(EXPORT_FORMATS)
        .default('ndjson' as const),
    )
    .option('--since <time>', 'from this time on (ISO 8601)', checked(Time))
    .option('--until <time>', 'before this time (ISO 8601)', checked(Time))
    .option('--output <file>', 'write to this file instead of standard output')
    .addHelpText(
      'after',
      examples(EXAMPLE, BY_ID, `${EXAMPLE} --format csv --since 2026-01-01 --output metrics.csv`),
    )
    .action(async ({ project, account, since, until, format, output }, command) => {
      if (since !== undefined && until !== undefined && Date.parse(since) > Date.parse(until))
        command.error('error: --since must not be after --until');
      const { json } = command.optsWithGlobals();
      if (json && format !== 'json' && command.getOptionValueSource('format') === 'cli')
        command.error(`error: --json and --format ${format} exclude each other`);
      const options = { format: json ? 'json' : format, since, until } as const;
      const find = projectFinder(command, project, account);
      await withService('The metrics could not be exported.', async ({ db }) => {
        const text = await exportMetrics(db, { ...options, projectId: (await find(db)).id });
        const watched = process.stderr.isTTY ? progress(text, process.stderr) : text;
        await (output === undefined ? print(watched) : writeFile(output, watched));
      });
    });

  metrics
    .command('delete')
    .description('delete all metrics of a project, or those of a period')
    .requiredOption(
      '--project <name-or-id>',
      'name or id of the project',
      checked(ProjectReference),
    )
    .addOption(projectAccountOption)
    .option('--since <time>', 'from this time on (ISO 8601)', checked(Time))
    .option('--until <time>', 'before this time (ISO 8601)', checked(Time))
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples(`${DELETE} --until 2026-01-01`))
    .action(async ({ project, account, since, until, yes }, command) => {
      if (!yes) demandTerminal(command);
      const find = projectFinder(command, project, account);
      const failure = 'The metrics could not be deleted.';
      const project_id = await withService(failure, async ({ db, change }) => {
        const { id, name, account_id } = await find(db);
        if (!yes) await demandConsent(`Delete metrics of project ${id} (${name})?`);
        await change('metrics delete', async (trx, about) => {
          about({ account_id, project_id: id, detail: { since, until } });
          await insertMetricDeletion(trx, { projectId: id, since, until });
        });
        await sweepMetrics(db);
        return id;
      });
      show(command, { project_id, since: since ?? null, until: until ?? null }, () =>
        details({ 'Deleted metrics of': project_id, Since: since ?? null, Until: until ?? null }),
      );
    });

  metrics
    .command('keep')
    .description('set for how many days a project keeps its metrics')
    .requiredOption(
      '--project <name-or-id>',
      'name or id of the project',
      checked(ProjectReference),
    )
    .addOption(projectAccountOption)
    .requiredOption('--days <number>', 'days in UTC; 0 keeps metrics forever', checked(Days))
    .addHelpText('after', examples(KEEP))
    .action(async ({ project, account, days }, command) => {
      const find = projectFinder(command, project, account);
      const failure = 'The retention could not be changed.';
      const project_id = await withService(failure, async ({ db, change }) => {
        const { id, account_id } = await find(db);
        await change('metrics keep', async (trx, about) => {
          about({ account_id, project_id: id, detail: { days } });
          await updateMetricDays(trx, { id, days });
        });
        await sweepMetrics(db);
        return id;
      });
      show(command, { project_id, days }, () =>
        details({ Project: project_id, 'Keeps metrics': days === 0 ? 'forever' : `${days} days` }),
      );
    });
}

/** Writes text to standard output as fast as it is read there, and for as long. */
async function print(text: AsyncGenerator<string>): Promise<void> {
  const { isTTY } = process.stdout;
  for await (const part of text) if (!(await isRead(isTTY ? escaped(part) : part))) return;
}

/** Resolved when standard output has taken the text; false if nobody reads it any more. */
function isRead(text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error);
      else resolve(!error);
    });
  });
}

const REPORT_MS = 100;

/** Passes text on and shows the number of lines and megabytes on the terminal. */
export async function* progress(
  text: AsyncIterable<string>,
  terminal: Writable,
): AsyncGenerator<string> {
  let lines = 0;
  let bytes = 0;
  let reported = 0;
  const report = () => {
    const megabytes = (bytes / 1_000_000).toFixed(1);
    terminal.write(`\r${lines.toLocaleString('en')} lines, ${megabytes} MB`);
    reported = performance.now();
  };
  for await (const part of text) {
    yield part;
    bytes += Buffer.byteLength(part);
    for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) lines += 1;
    if (performance.now() - reported > REPORT_MS) report();
  }
  report();
  terminal.write('\n');
}
