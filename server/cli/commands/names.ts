import { listHeldBackNames } from '#db/queries/display-names.ts';
import { releaseHeldName } from '#server/features/names/change-display-name.ts';
import { details, examples, type Program, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

export function addNamesCommands(program: Program): void {
  const names = program
    .command('names')
    .description('list and release reserved former display names')
    .addHelpText('after', examples('names list'));

  names
    .command('list')
    .description('list names that were given up and that others cannot take yet')
    .addHelpText('after', examples('names list', 'names list --json'))
    .action(async (_options, command) => {
      const list = await withService('The names could not be listed.', ({ db, naming }) =>
        listHeldBackNames(db, naming.quarantineDays),
      );
      show(command, list, (rows) =>
        table(
          ['Name', 'Last account', 'Left', 'Free', 'Had'],
          rows.map((row) => [
            row.name,
            row.last_account_id,
            time(row.released_at),
            row.free_at ? time(row.free_at) : 'when its alias is gone',
            [...(row.was_forwarded ? ['mail'] : []), ...(row.was_visible ? ['a page'] : [])].join(
              ', ',
            ),
          ]),
          'No name is held back.',
        ),
      );
    });

  names
    .command('release')
    .description('release a reserved name so that anybody can take it')
    .argument('<name>', 'the display name')
    .addHelpText('after', examples('names release jane-doe'))
    .action(async (typed, _options, command) => {
      const released = await withService('The name could not be released.', ({ change }) =>
        change('names release', async (trx, about) => {
          const done = await releaseHeldName(trx, typed);
          about({ account_id: done.last_account_id, name: done.name });
          return done;
        }),
      );
      show(command, released, ({ name, last_account_id }) =>
        details({ Released: name, 'Last account': last_account_id }),
      );
    });
}
