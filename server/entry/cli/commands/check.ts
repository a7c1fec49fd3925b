import { z } from 'zod';
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
import { parseWith } from '../argument.ts';
import { withResource } from '../with-service.ts';

const MailAddress = z.email('Give one email address.');

export function addCheckCommand(program: Program): void {
  program
    .command('check')
    .description('check settings, database, mail, address and single sign-on, and report problems')
    .option('--mail <address>', 'also send a test mail to this address', parseWith(MailAddress))
    .addHelpText(
      'after',
      `${examples('check', 'check --mail you@example.org')}

The check changes nothing and sends only read requests to other services, a made-up code to the
provider of single sign-on, and the test mail.
The exit code is 1 if there are errors.`,
    )
    .action(async ({ mail }, command) => {
      const check = await withResource(
        'The check failed.',
        () => Promise.resolve(new AsyncDisposableStack()),
        async (opened) => {
          const { runCheck } = await import('../check/run-check.ts');
          return runCheck(opened, mail);
        },
      );
      printResult(command, check, ({ summaries, findings }) =>
        [
          formatDetails({
            Settings: summaries.settings,
            Database: summaries.database,
            Forwarding: summaries.forwarding,
            Address: summaries.address,
            'Sign-on': summaries['sign-on'],
          }),
          formatTable(
            ['Area', 'Level', 'Problem', 'What to do'],
            findings.map(({ area, level, problem, fix }) => [
              area,
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
