import type { Command } from 'commander';
import { checked } from '../argument.ts';
import { answered } from '../client.ts';
import { AccountReference } from '../contract/accounts.ts';
import { EventLimit } from '../contract/events.ts';
import { show, table, time } from '../output.ts';
import { withAdmin } from '../with-admin.ts';

export function addEventsCommands(program: Command): void {
  const events = program.command('events').description('list what happened');

  events
    .command('list')
    .description('list the events of an account, newest first')
    .requiredOption(
      '--account <name-or-id>',
      'display name or id of the account',
      checked(AccountReference),
    )
    .option('--limit <number>', 'events at most, up to 1000', checked(EventLimit), '50')
    .action(async (query: { account: string; limit: string }, command: Command) => {
      const list = await withAdmin(async (admin) =>
        answered(await admin.events.listEvents({ query })),
      );
      show(command, list, (rows) =>
        table(
          ['Time', 'Event', 'Outcome', 'Detail'],
          rows.map((row) => [
            time(row.created_at),
            row.type,
            row.outcome,
            JSON.stringify(row.detail),
          ]),
          'The account has no events.',
        ),
      );
    });
}
