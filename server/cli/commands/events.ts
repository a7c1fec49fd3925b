import { listEvents } from '#db/queries/events.ts';
import { withAccount } from '#server/features/accounts/with-account.ts';
import { accountOption, parseLimit } from '../argument.ts';
import {
  examples,
  type Program,
  printResult,
  formatTable,
  formatTime,
  colored,
} from '../output.ts';
import { withService } from '../with-service.ts';

const OUTCOME_TONES = { succeeded: 'good', pending: 'warning', failed: 'bad' } as const;

export function addEventsCommands(program: Program): void {
  const events = program
    .command('events')
    .description('list the events of accounts')
    .addHelpText('after', examples('events list --account jane-doe'));

  events
    .command('list')
    .description('list the events of an account, newest first')
    .addOption(accountOption)
    .option('--limit <number>', 'maximum number of events, up to 1000', parseLimit(1_000), 50)
    .addHelpText('after', examples('events list --account jane-doe --limit 10'))
    .action(async ({ account, limit }, command) => {
      const list = await withService('The events could not be listed.', ({ db }) =>
        withAccount(db, account, (trx, { account_id }) => listEvents(trx, account_id, { limit })),
      );
      printResult(command, list, (rows) =>
        formatTable(
          ['Time', 'Event', 'Outcome', 'Detail'],
          rows.map((row) => [
            formatTime(row.created_at),
            row.type,
            colored(OUTCOME_TONES[row.outcome], row.outcome),
            JSON.stringify(row.detail),
          ]),
          'The account has no events.',
        ),
      );
    });
}
