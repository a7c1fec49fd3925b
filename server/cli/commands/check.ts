import { CommandFailedError } from '../command-failed.ts';
import { details, examples, LEVEL_TONES, type Program, show, table, toned } from '../output.ts';
import { withOpened } from '../with-service.ts';

export function addCheckCommand(program: Program): void {
  program
    .command('check')
    .description('check settings, database, mail and address, and report what must be fixed')
    .addHelpText(
      'after',
      `${examples('check')}

Changes nothing, and sends only read requests to other services.
Exits with 1 if something must be fixed.`,
    )
    .action(async (_options, command) => {
      const check = await withOpened(
        'The check could not be done.',
        () => Promise.resolve(new AsyncDisposableStack()),
        async (opened) => {
          const { runCheck } = await import('../check/run-check.ts');
          return runCheck(opened);
        },
      );
      show(command, check, ({ found, findings }) =>
        [
          details({
            Settings: found.settings,
            Database: found.database,
            Forwarding: found.forwarding,
            Address: found.address,
          }),
          table(
            ['About', 'Level', 'Problem', 'What to do'],
            findings.map(({ about, level, problem, fix }) => [
              about,
              toned(LEVEL_TONES[level], level),
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
