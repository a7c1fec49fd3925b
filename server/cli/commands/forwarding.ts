import type { SyncProgress, SyncReport } from '#server/features/forwarding/sync.ts';
import { CommandFailedError } from '../command-failed.ts';
import {
  details,
  examples,
  LEVEL_TONES,
  printable,
  type Program,
  show,
  table,
  time,
  toned,
} from '../output.ts';
import { withService } from '../with-service.ts';

export function addForwardingCommands(program: Program): void {
  const forwarding = program
    .command('forwarding')
    .description('check, list and repair email forwarding')
    .addHelpText('after', examples('forwarding check'));

  forwarding
    .command('check')
    .description("check the provider's credentials and rules, and say what to fix")
    .addHelpText('after', examples('forwarding check'))
    .action(async (_options, command) => {
      const check = await withService(
        'Email forwarding could not be checked.',
        async ({ forwarding: service, checkMail }) => {
          const { provider, findings: found } = await service.check();
          const findings = [...found, ...(await checkMail())];
          return { provider, ok: findings.every(({ level }) => level !== 'error'), findings };
        },
      );
      show(command, check, ({ provider, findings }) =>
        table(
          ['Level', 'Problem', 'What to do'],
          findings.map(({ level, problem, fix }) => [
            toned(LEVEL_TONES[level], level),
            problem,
            fix,
          ]),
          ALL_IS_WELL[provider] ?? `Forwarding by ${provider} is set up correctly.`,
        ),
      );
      if (!check.ok) throw new CommandFailedError();
    });

  forwarding
    .command('list')
    .description('list every name that has or had forwarding, with its state at the provider')
    .addHelpText('after', examples('forwarding list', 'forwarding list --json'))
    .action(async (_options, command) => {
      const list = await withService('The names could not be listed.', (service) =>
        service.forwarding.list(),
      );
      show(command, list, (rows) =>
        table(
          ['Name', 'Wanted', 'Known', 'State', 'Tries', 'Next try', 'Last error'],
          rows.map((row) => [
            row.name,
            row.wanted,
            row.known,
            row.stage,
            String(row.attempts),
            time(row.next_try_at),
            toned('bad', row.last_error),
          ]),
          'No name has or had forwarding.',
        ),
      );
    });

  forwarding
    .command('sync')
    .description('compare all aliases of the provider with the database and repair differences')
    .option('--prune', 'also delete aliases that never belonged to an account here')
    .addHelpText('after', examples('forwarding sync', 'forwarding sync --prune'))
    .action(async ({ prune = false }, command) => {
      const terminal = process.stderr.isTTY ? process.stderr : undefined;
      const onProgress = ({ done, total, name }: SyncProgress) =>
        void terminal?.write(`\r\x1b[K${done} of ${total}: ${printable(name)}`);
      const report = await withService(
        'Email forwarding could not be compared.',
        async ({ change, forwarding: service }) => {
          // The effect is outside the database: noted before, in case it is cut off, and after.
          const note = (detail: Record<string, unknown>) =>
            change('forwarding sync', async (_trx, about) => about({ detail }));
          await note({ step: 'begun', prune });
          const done = await service.sync({ prune, onProgress });
          await note({ step: 'done', repaired: done.repaired, pruned: done.pruned });
          return done;
        },
      ).finally(() => terminal?.write('\r\x1b[K'));
      show(command, report, showReport);
    });
}

/** Sentences for a check without findings, where the provider itself was not looked at. */
const ALL_IS_WELL: Record<string, string> = {
  none: 'No mail is forwarded: EMAIL_FORWARDING_PROVIDER is none, so settings are only stored.',
  postfix:
    'The view for Postfix exists. Check with `postmap -q` that Postfix reads it: see docs/email-forwarding.md.',
};

function showReport(report: SyncReport): string {
  const list = (names: readonly string[]) => names.join(', ') || 'none';
  return details({
    Provider: report.provider,
    Compared: `${report.names} ${report.names === 1 ? 'name' : 'names'}`,
    Repaired: list(report.repaired),
    Waiting: list(report.waiting),
    Strangers: list(report.strangers.map(({ name, destination }) => `${name} → ${destination}`)),
    Pruned: list(report.pruned),
  });
}
