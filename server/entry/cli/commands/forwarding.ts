import { PROVIDER_ERRORS } from '#server/features/forwarding/forwarding-provider.ts';
import type { SyncReport } from '#server/features/forwarding/sync.ts';
import { formatStored } from '#server/platform/text/language.ts';
import {
  formatDetails,
  examples,
  type Program,
  printResult,
  formatTable,
  formatTime,
  colored,
} from '../output.ts';
import { withService } from '../with-service.ts';

export function addListAliases(program: Program): void {
  program
    .command('forwarding.listAliases')
    .helpGroup('forwarding:')
    .description('list names that have or had forwarding, with their state at the provider')
    .addHelpText('after', examples('forwarding.listAliases', 'forwarding.listAliases --json'))
    .action(async (_options, command) => {
      const list = await withService('The names could not be listed.', async ({ app }) =>
        (await app.forwarding.list()).map((name) => ({
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
}

export function addSyncAliases(program: Program): void {
  program
    .command('forwarding.syncAliases')
    .helpGroup('forwarding:')
    .description("compare the provider's aliases with the database and repair differences")
    .option('--prune', 'also delete aliases that never belonged to an account here')
    .addHelpText('after', examples('forwarding.syncAliases', 'forwarding.syncAliases --prune'))
    .action(async ({ prune = false }, command) => {
      const report = await withService(
        'Email forwarding could not be synced.',
        async ({ runAudited, app: { forwarding } }) => {
          // Log the start, too: an interrupted sync may already have changed the provider.
          const auditStep = (detail: Record<string, unknown>) =>
            runAudited('forwarding sync', async (_trx, audit) => audit({ detail }));
          await auditStep({ step: 'started', prune });
          const result = await forwarding.sync({ prune });
          await auditStep({ step: 'done', repaired: result.repaired, pruned: result.pruned });
          return result;
        },
      );
      printResult(command, report, formatReport);
    });
}

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
