import { PROVIDER_ERRORS } from '#server/features/forwarding/forwarding-provider.ts';
import type { SyncProgress, SyncReport } from '#server/features/forwarding/sync.ts';
import { CommandFailedError } from '../command-failed.ts';
import {
  formatDetails,
  examples,
  LEVEL_TONES,
  type Program,
  printResult,
  formatTable,
  formatTime,
  colored,
} from '../output.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { toPrintable } from '#server/platform/text/printable-text.ts';
import { withService } from '../with-service.ts';

export function addForwardingCommands(program: Program): void {
  const commands = program
    .command('forwarding')
    .description('check, list and repair email forwarding')
    .addHelpText('after', examples('forwarding check'));

  commands
    .command('check')
    .description("check the provider's credentials and rules, and report problems")
    .addHelpText('after', examples('forwarding check'))
    .action(async (_options, command) => {
      const check = await withService(
        'Email forwarding could not be checked.',
        async ({ forwarding: service, checkMail }) => {
          const { provider, findings: providerFindings } = await service.check();
          const findings = [...providerFindings, ...(await checkMail())];
          return { provider, ok: findings.every(({ level }) => level !== 'error'), findings };
        },
      );
      printResult(command, check, ({ provider, findings }) =>
        formatTable(
          ['Level', 'Problem', 'What to do'],
          findings.map(({ level, problem, fix }) => [
            colored(LEVEL_TONES[level], level),
            problem,
            fix,
          ]),
          NO_FINDINGS_TEXT[provider] ?? `Forwarding by ${provider} is set up correctly.`,
        ),
      );
      if (!check.ok) throw new CommandFailedError();
    });

  commands
    .command('list')
    .description('list names that have or had forwarding, with their state at the provider')
    .addHelpText('after', examples('forwarding list', 'forwarding list --json'))
    .action(async (_options, command) => {
      const list = await withService('The names could not be listed.', async ({ forwarding }) =>
        (await forwarding.list()).map((name) => ({
          ...name,
          last_error: formatStored(PROVIDER_ERRORS, name.last_error),
        })),
      );
      printResult(command, list, (rows) =>
        formatTable(
          ['Name', 'Destination', 'At the provider', 'State', 'Tries', 'Next try', 'Last error'],
          rows.map((row) => [
            row.name,
            row.destination,
            row.provider_destination,
            row.stage,
            String(row.attempts),
            formatTime(row.next_try_at),
            colored('bad', row.last_error),
          ]),
          'No name has or had forwarding.',
        ),
      );
    });

  commands
    .command('sync')
    .description("compare the provider's aliases with the database and repair differences")
    .option('--prune', 'also delete aliases that never belonged to an account here')
    .addHelpText('after', examples('forwarding sync', 'forwarding sync --prune'))
    .action(async ({ prune = false }, command) => {
      const terminal = process.stderr.isTTY ? process.stderr : undefined;
      const onProgress = ({ done, total, name }: SyncProgress) =>
        void terminal?.write(`\r\x1b[K${done} of ${total}: ${toPrintable(name)}`);
      const report = await withService(
        'Email forwarding could not be synced.',
        async ({ runAudited, forwarding: service }) => {
          // Log the start, too: an interrupted sync may already have changed the provider.
          const auditStep = (detail: Record<string, unknown>) =>
            runAudited('forwarding sync', async (_trx, audit) => audit({ detail }));
          await auditStep({ step: 'started', prune });
          const result = await service.sync({ prune, onProgress });
          await auditStep({ step: 'done', repaired: result.repaired, pruned: result.pruned });
          return result;
        },
      ).finally(() => terminal?.write('\r\x1b[K'));
      printResult(command, report, formatReport);
    });
}

/** Shown if the check finds no problems, for providers whose setup it cannot verify. */
const NO_FINDINGS_TEXT: Record<string, string> = {
  none: 'No mail is forwarded, because EMAIL_FORWARDING_PROVIDER is none. Settings are only stored.',
  postfix:
    'The view for Postfix exists. Check with `postmap -q` that Postfix reads it: see docs/postfix.md.',
};

function formatReport(report: SyncReport): string {
  const list = (names: readonly string[]) => names.join(', ') || 'none';
  return formatDetails({
    Provider: report.provider,
    Compared: `${report.compared} ${report.compared === 1 ? 'name' : 'names'}`,
    Repaired: list(report.repaired),
    Waiting: list(report.waiting),
    Unknown: list(report.unknown.map(({ name, destination }) => `${name} → ${destination}`)),
    Pruned: list(report.pruned),
  });
}
