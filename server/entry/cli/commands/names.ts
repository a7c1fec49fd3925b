import { listQuarantinedNames } from '#db/queries/display-names.ts';
import { endQuarantine } from '#server/features/names/change-display-name.ts';
import {
  formatDetails,
  examples,
  type Program,
  printResult,
  formatTable,
  formatTime,
} from '../output.ts';
import { withService } from '../with-service.ts';

export function addNamesCommands(program: Program): void {
  const names = program
    .command('names')
    .description('list and release former display names that are held back')
    .addHelpText('after', examples('names list'));

  names
    .command('list')
    .description('list released names that others cannot claim yet')
    .addHelpText('after', examples('names list', 'names list --json'))
    .action(async (_options, command) => {
      const list = await withService('The names could not be listed.', ({ config, db }) =>
        listQuarantinedNames(db, config.NAME_QUARANTINE_DAYS),
      );
      printResult(command, list, (rows) =>
        formatTable(
          ['Name', 'Last account', 'Left', 'Free', 'Had'],
          rows.map((row) => [
            row.name,
            row.last_account_id,
            formatTime(row.released_at),
            row.free_at ? formatTime(row.free_at) : 'when its alias is deleted',
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
    .description('let others claim a name that is held back')
    .argument('<name>', 'the display name')
    .addHelpText('after', examples('names release jane-doe'))
    .action(async (name, _options, command) => {
      const freedName = await withService('The name could not be released.', ({ runAudited }) =>
        runAudited('names release', async (trx, audit) => {
          const freed = await endQuarantine(trx, name);
          audit({ account_id: freed.last_account_id, name: freed.name });
          return freed;
        }),
      );
      printResult(command, freedName, ({ name: freed, last_account_id }) =>
        formatDetails({ Released: freed, 'Last account': last_account_id }),
      );
    });
}
