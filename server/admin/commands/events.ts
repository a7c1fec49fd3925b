import { z } from 'zod';
import { listEvents } from '../../../db/queries/events.ts';
import { withAccount } from '../../service/accounts/with-account.ts';
import { accountOption, checked } from '../argument.ts';
import { type Program, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

const LIMIT = 'The limit is a whole number from 1 to 1000.';

const EventLimit = z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT);

export function addEventsCommands(program: Program): void {
  const events = program.command('events').description('list what happened');

  events
    .command('list')
    .description('list the events of an account, newest first')
    .addOption(accountOption)
    .option('--limit <number>', 'events at most, up to 1000', checked(EventLimit), 50)
    .action(async ({ account, limit }, command) => {
      const list = await withService('The events could not be listed.', ({ db }) =>
        withAccount(db, account, (trx, { account_id }) => listEvents(trx, account_id, limit)),
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
