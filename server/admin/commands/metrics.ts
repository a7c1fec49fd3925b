import { writeFile } from 'node:fs/promises';
import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { EXPORT_FORMATS } from '../../service/metrics/export-format.ts';
import { exportMetrics } from '../../service/metrics/export-metrics.ts';
import { ProjectId, checked } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, escaped } from '../output.ts';
import { progress } from '../progress.ts';
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

const EXAMPLE = 'metrics export --project 1cd4187b-5ece-4b22-b829-dc6244294b43';

export function addMetricsCommands(program: Program): void {
  const metrics = program
    .command('metrics')
    .description('export metrics')
    .addHelpText('after', examples(EXAMPLE));

  metrics
    .command('export')
    .description('write the metrics of a project, oldest first, one a line')
    .requiredOption('--project <id>', 'id of the project', checked(ProjectId))
    .addOption(
      new Option('--format <format>', 'how records are written; --json is --format json')
        .choices(EXPORT_FORMATS)
        .default('ndjson' as const),
    )
    .option('--since <time>', 'from this time on (ISO 8601)', checked(Time))
    .option('--until <time>', 'before this time (ISO 8601)', checked(Time))
    .option('--output <file>', 'write to this file instead of standard output')
    .addHelpText(
      'after',
      examples(EXAMPLE, `${EXAMPLE} --format csv --since 2026-01-01 --output metrics.csv`),
    )
    .action(async ({ project, since, until, format, output }, command) => {
      if (since !== undefined && until !== undefined && Date.parse(since) > Date.parse(until))
        command.error('error: --since must not be after --until');
      const { json } = command.optsWithGlobals();
      if (json && format !== 'json' && command.getOptionValueSource('format') === 'cli')
        command.error(`error: --json and --format ${format} exclude each other`);
      const options = { projectId: project, format: json ? 'json' : format, since, until } as const;
      await withService('The metrics could not be exported.', async ({ db }) => {
        const text = await exportMetrics(db, options);
        const watched = process.stderr.isTTY ? progress(text, process.stderr) : text;
        await (output === undefined ? print(watched) : writeFile(output, watched));
      });
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
