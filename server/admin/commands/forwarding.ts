import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { RefusedError, answered } from '../client.ts';
import { type ForwardingReport, SyncLine } from '../contract/forwarding.ts';
import { details, show, table, time } from '../output.ts';
import { withAdmin } from '../with-admin.ts';

export function addForwardingCommands(program: Command): void {
  const forwarding = program
    .command('forwarding')
    .description('look after email forwarding and its provider');

  forwarding
    .command('check')
    .description("prove the provider's credentials and look for what defeats the rules")
    .action(async (_options: object, command: Command) => {
      const check = await withAdmin(async (admin) =>
        answered(await admin.forwarding.checkForwarding({ body: {} })),
      );
      show(command, check, ({ provider, findings }) =>
        table(
          ['Level', 'Problem', 'What to do'],
          findings.map(({ level, problem, fix }) => [level, problem, fix]),
          provider === 'none'
            ? 'No mail is forwarded: EMAIL_FORWARDING_PROVIDER is none, so what is wanted is only stored.'
            : `Forwarding by ${provider} is set up well.`,
        ),
      );
      if (!check.ok) process.exitCode = 1;
    });

  forwarding
    .command('list')
    .description(
      'list every name that has or had mail: what is wanted, what is known, what is stuck',
    )
    .action(async (_options: object, command: Command) => {
      const list = await withAdmin(async (admin) =>
        answered(await admin.forwarding.listForwarding()),
      );
      show(command, list, (rows) =>
        table(
          ['Name', 'Wanted', 'Known', 'State', 'Tries', 'Next try', 'Last error'],
          rows.map((row) => [
            row.name,
            row.wanted,
            row.known,
            row.settled ? 'settled' : 'waiting',
            String(row.attempts),
            time(row.next_try_at),
            row.last_error,
          ]),
          'No name has or had its mail forwarded.',
        ),
      );
    });

  forwarding
    .command('sync')
    .description('compare the whole provider with the database and repair what differs')
    .option('--prune', 'also delete aliases that no account here ever had')
    .action(async ({ prune = false }: { prune?: boolean }, command: Command) => {
      const report = await withAdmin(async (admin) =>
        followSync(answered(await admin.forwarding.syncForwarding({ body: { prune } }))),
      );
      show(command, report, showReport);
    });
}

/** Shows on a terminal how far a comparison is, and returns its report. */
async function followSync(stream: Readable): Promise<ForwardingReport> {
  const terminal = process.stderr.isTTY;
  for await (const text of createInterface({ input: stream })) {
    const line = SyncLine.parse(JSON.parse(text));
    if ('error' in line) throw new RefusedError(line.error);
    if ('report' in line) {
      if (terminal) process.stderr.write('\r\x1b[K');
      return line.report;
    }
    const { done, total, name } = line.progress;
    if (terminal) process.stderr.write(`\r\x1b[K${done} of ${total}: ${name}`);
  }
  throw new RefusedError('The comparison was cut off; run it again.');
}

function showReport(report: ForwardingReport): string {
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
