import { CommandFailedError } from '../command-failed.ts';
import { examples } from '../examples.ts';
import { details, type Program, show, table } from '../output.ts';
import { undertake } from '../undertake.ts';

export function addCheckCommand(program: Program): void {
  program
    .command('check')
    .description('look at settings, database, mail and address, and say what must be mended')
    .addHelpText(
      'after',
      `${examples('check')}

Changes nothing, and asks outside only what reads. Ends with 1 if something must be mended.`,
    )
    .action(async (_options, command) => {
      const check = await undertake(
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
            findings.map(({ about, level, problem, fix }) => [about, level, problem, fix]),
            'All is well.',
          ),
        ].join('\n\n'),
      );
      if (!check.ok) throw new CommandFailedError();
    });
}
