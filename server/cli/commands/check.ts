import { CommandFailedError } from '../command-failed.ts';
import {
  formatDetails,
  examples,
  LEVEL_TONES,
  type Program,
  printResult,
  formatTable,
  colored,
} from '../output.ts';
import { withResource } from '../with-service.ts';

export function addCheckCommand(program: Program): void {
  program
    .command('check')
    .description('check settings, database, mail and address, and report problems')
    .addHelpText(
      'after',
      `${examples('check')}

The check changes nothing and sends only read requests to other services.
The exit code is 1 if there are errors.`,
    )
    .action(async (_options, command) => {
      const check = await withResource(
        'The check failed.',
        () => Promise.resolve(new AsyncDisposableStack()),
        async (opened) => {
          const { runCheck } = await import('../check/run-check.ts');
          return runCheck(opened);
        },
      );
      printResult(command, check, ({ found, findings }) =>
        [
          formatDetails({
            Settings: found.settings,
            Database: found.database,
            Forwarding: found.forwarding,
            Address: found.address,
          }),
          formatTable(
            ['About', 'Level', 'Problem', 'What to do'],
            findings.map(({ about, level, problem, fix }) => [
              about,
              colored(LEVEL_TONES[level], level),
              problem,
              fix,
            ]),
            'No problems found.',
          ),
        ].join('\n\n'),
      );
      if (!check.ok) throw new CommandFailedError();
    });
}
