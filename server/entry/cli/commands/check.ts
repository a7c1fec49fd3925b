import { z } from 'zod';
import { parseWith } from '../argument.ts';
import type { Check } from '../check/run-check.ts';
import { CommandFailedError } from '../command-failed.ts';
import {
  examples,
  LEVEL_TONES,
  type Program,
  printResult,
  formatTable,
  colored,
} from '../output.ts';
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
      printResult(command, check, ({ findings }) =>
        formatTable(['Level', 'Subject', 'Finding'], findings.flatMap(formatFinding), ''),
      );
      if (!check.ok) throw new CommandFailedError();
    });
}

/** Solutions have lines of their own, so that they can be copied. */
function formatFinding({ level, title, value, text, fix, document }: Check['findings'][0]) {
  const sentence = value === null ? text : `${value}: ${text}`;
  const lines = [...(fix?.split('\n') ?? []), ...(document === null ? [] : [`See ${document}.`])];
  return [
    [level === 'off' ? level : colored(LEVEL_TONES[level], level), title, sentence],
    ...lines.map((line) => ['', '', line]),
  ];
}
