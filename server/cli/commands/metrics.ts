import { inTransaction } from '#db/connections/transaction.ts';
import { writeFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { insertMetricDeletion } from '#db/queries/metrics/metric-deletions.ts';
import { updateMetricRetentionDays } from '#db/queries/projects.ts';
import { EXPORT_FORMATS } from '#contract/metric-params.ts';
import { exportMetrics } from '#server/features/metrics/export-metrics.ts';
import { sweepMetrics } from '#server/features/metrics/sweep-metrics.ts';
import { parseWith, projectAccountOption, ProjectReference } from '../argument.ts';
import { requireConfirmation, requireTerminal } from '../confirm.ts';
import {
  formatDetails,
  escapeControlCharacters,
  examples,
  type Program,
  printResult,
} from '../output.ts';
import { createProjectFinder } from '../project-finder.ts';
import { withService } from '../with-service.ts';

const TIME_MESSAGE =
  'A time must be ISO 8601: 2026-01-31T09:30:00Z, 2026-01-31T10:30:00+01:00, or 2026-01-31 for midnight UTC.';

/** A date without a time means midnight UTC. */
const Time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], TIME_MESSAGE)
  .transform((time) => {
    if (time.endsWith('Z')) return time;
    return time.includes('T') ? new Date(time).toISOString() : `${time}T00:00:00Z`;
  })
  .refine((time) => /^(?!0000)\d{4}-/.test(time), TIME_MESSAGE);

const DAYS_MESSAGE = 'The number of days must be a whole number from 0 to 3660.';

const Days = z.coerce
  .number(DAYS_MESSAGE)
  .int(DAYS_MESSAGE)
  .min(0, DAYS_MESSAGE)
  .max(LIMITS.queryDays, DAYS_MESSAGE);

const projectOption = new Option('--project <name-or-id>', 'name or id of the project')
  .argParser(parseWith(ProjectReference))
  .makeOptionMandatory();

const EXAMPLE = 'metrics export --project Shop --account jane-doe';
const EXAMPLE_BY_ID = 'metrics export --project 1cd4187b-5ece-4b22-b829-dc6244294b43';
const DELETE_EXAMPLE = EXAMPLE.replace('export', 'delete');
const KEEP_EXAMPLE = `${EXAMPLE.replace('export', 'keep')} --days 90`;

export function addMetricsCommands(program: Program): void {
  const metrics = program
    .command('metrics')
    .description('export and delete metrics, and set how long they are kept')
    .addHelpText('after', examples(EXAMPLE, KEEP_EXAMPLE));
  addExportCommand(metrics);
  addDeleteCommand(metrics);
  addKeepCommand(metrics);
}

function addExportCommand(metrics: Program): void {
  metrics
    .command('export')
    .description('write the metrics of a project, oldest first, one per line')
    .addOption(projectOption)
    .addOption(projectAccountOption)
    .addOption(
      new Option('--format <format>', 'output format; --json is the same as --format json')
        .choices(EXPORT_FORMATS)
        .default('ndjson' as const),
    )
    .option('--since <time>', 'from this time on (ISO 8601)', parseWith(Time))
    .option('--until <time>', 'before this time (ISO 8601)', parseWith(Time))
    .option('--output <file>', 'write to this file instead of standard output')
    .addHelpText(
      'after',
      examples(
        EXAMPLE,
        EXAMPLE_BY_ID,
        `${EXAMPLE} --format csv --since 2026-01-01 --output metrics.csv`,
      ),
    )
    .action(async ({ project, account, since, until, format, output }, command) => {
      if (since !== undefined && until !== undefined && Date.parse(since) > Date.parse(until))
        command.error('error: --since must not be after --until');
      const { json } = command.optsWithGlobals();
      if (json && format !== 'json' && command.getOptionValueSource('format') === 'cli')
        command.error(`error: --json and --format ${format} cannot be combined`);
      const options = { format: json ? 'json' : format, since, until } as const;
      const find = createProjectFinder(command, project, account);
      await withService('The metrics could not be exported.', async ({ db }) => {
        const text = await exportMetrics(db, {
          ...options,
          projectId: (await inTransaction(db, find)).id,
        });
        const chunks = process.stderr.isTTY ? withProgress(text, process.stderr) : text;
        await (output === undefined ? printChunks(chunks) : writeFile(output, chunks));
      });
    });
}

function addDeleteCommand(metrics: Program): void {
  metrics
    .command('delete')
    .description('delete all metrics of a project, or those of a period')
    .addOption(projectOption)
    .addOption(projectAccountOption)
    .option('--since <time>', 'from this time on (ISO 8601)', parseWith(Time))
    .option('--until <time>', 'before this time (ISO 8601)', parseWith(Time))
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples(`${DELETE_EXAMPLE} --until 2026-01-01`))
    .action(async ({ project, account, since, until, yes }, command) => {
      if (!yes) requireTerminal(command);
      const find = createProjectFinder(command, project, account);
      const failure = 'The metrics could not be deleted.';
      const project_id = await withService(failure, async ({ db, runAudited }) => {
        const { id, name, account_id } = await inTransaction(db, find);
        if (!yes) await requireConfirmation(`Delete metrics of project ${id} (${name})?`);
        await runAudited('metrics delete', async (trx, audit) => {
          audit({ account_id, project_id: id, detail: { since, until } });
          await insertMetricDeletion(trx, { projectId: id, since, until });
        });
        await sweepMetrics(db);
        return id;
      });
      printResult(command, { project_id, since: since ?? null, until: until ?? null }, () =>
        formatDetails({
          'Deleted metrics of': project_id,
          Since: since ?? null,
          Until: until ?? null,
        }),
      );
    });
}

function addKeepCommand(metrics: Program): void {
  metrics
    .command('keep')
    .description('set for how many days a project keeps its metrics')
    .addOption(projectOption)
    .addOption(projectAccountOption)
    .requiredOption('--days <number>', 'days in UTC; 0 keeps metrics forever', parseWith(Days))
    .addHelpText('after', examples(KEEP_EXAMPLE))
    .action(async ({ project, account, days }, command) => {
      const find = createProjectFinder(command, project, account);
      const failure = 'The retention could not be changed.';
      const project_id = await withService(failure, async ({ db, runAudited }) => {
        const { id, account_id } = await inTransaction(db, find);
        await runAudited('metrics keep', async (trx, audit) => {
          audit({ account_id, project_id: id, detail: { days } });
          await updateMetricRetentionDays(trx, { id, days });
        });
        await sweepMetrics(db);
        return id;
      });
      printResult(command, { project_id, days }, () =>
        formatDetails({
          Project: project_id,
          'Keeps metrics': days === 0 ? 'forever' : `${days} days`,
        }),
      );
    });
}

/** Writes with backpressure. Stops when the reader closes the pipe. */
async function printChunks(text: AsyncGenerator<string>): Promise<void> {
  const { isTTY } = process.stdout;
  for await (const part of text)
    if (!(await writeStdout(isTTY ? escapeControlCharacters(part) : part))) return;
}

function writeStdout(text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error);
      else resolve(!error);
    });
  });
}

const REPORT_INTERVAL_MS = 100;

export async function* withProgress(
  text: AsyncIterable<string>,
  terminal: Writable,
): AsyncGenerator<string> {
  let lines = 0;
  let bytes = 0;
  let reportedAt = 0;
  const report = () => {
    const megabytes = (bytes / 1_000_000).toFixed(1);
    terminal.write(`\r${lines.toLocaleString('en')} lines, ${megabytes} MB`);
    reportedAt = performance.now();
  };
  for await (const part of text) {
    yield part;
    bytes += Buffer.byteLength(part);
    for (let index = part.indexOf('\n'); index !== -1; index = part.indexOf('\n', index + 1))
      lines += 1;
    if (performance.now() - reportedAt > REPORT_INTERVAL_MS) report();
  }
  report();
  terminal.write('\n');
}
