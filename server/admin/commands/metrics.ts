import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { checked } from '../argument.ts';
import { answered } from '../client.ts';
import { ExportFormat, ProjectId, Time } from '../contract/metrics.ts';
import { progress } from '../progress.ts';
import { withAdmin } from '../with-admin.ts';

interface ExportOptions {
  project: string;
  format: ExportFormat;
  since?: string;
  until?: string;
}

export function addMetricsCommands(program: Command): void {
  const metrics = program.command('metrics').description('export metrics');

  metrics
    .command('export')
    .description('write the metrics of a project to standard output, oldest first, one a line')
    .requiredOption('--project <id>', 'id of the project', checked(ProjectId))
    .addOption(
      new Option('--format <format>', 'how records are written; --json is --format json')
        .choices(ExportFormat.options)
        .default('ndjson'),
    )
    .option('--since <time>', 'from this time on (ISO 8601)', checked(Time))
    .option('--until <time>', 'before this time (ISO 8601)', checked(Time))
    .action(async ({ project, since, until, format }: ExportOptions, command: Command) => {
      if (since !== undefined && until !== undefined && instant(since) > instant(until))
        command.error('error: --since must not be after --until');
      const { json } = command.optsWithGlobals<{ json?: true }>();
      if (json && format !== 'json' && command.getOptionValueSource('format') === 'cli')
        command.error(`error: --json and --format ${format} exclude each other`);
      const query = { project, since, until, format: json ? 'json' : format };
      await withAdmin(async (admin) => {
        const records = answered(await admin.metrics.exportMetrics({ query }));
        const watched = process.stderr.isTTY ? progress(records, process.stderr) : records;
        await pipeline(watched, process.stdout, { end: false });
      });
    });
}

function instant(time: string): number {
  return Date.parse(Time.parse(time));
}
