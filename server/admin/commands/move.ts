import { Settings } from '../../service/settings/config.ts';
import { checked } from '../argument.ts';
import { countRows } from '../backup/count-rows.ts';
import { examples } from '../examples.ts';
import { details, type Program, show } from '../output.ts';
import { undertake } from '../undertake.ts';

export function addMoveCommand(program: Program): void {
  program
    .command('move')
    .description('copy the database of DATA_DIR to a PostgreSQL server, while no server runs')
    .requiredOption(
      '--to <url>',
      'URL of an empty database, as in DATABASE_URL',
      checked(Settings.shape.DATABASE_URL.unwrap()),
    )
    .addHelpText(
      'after',
      `${examples('move --to postgres://nameplate@db.example.com/nameplate')}

Other users can see the command line: put the password in ~/.pgpass or PGPASSWORD instead.`,
    )
    .action(async ({ to }, command) => {
      const moved = await undertake(
        'The database could not be moved.',
        async () => {
          const { openMove } = await import('../backup/open-move.ts');
          return openMove(to);
        },
        async ({ folder, run }) => {
          const { rows, strangers } = await run();
          return { from: folder, rows, left_out: strangers };
        },
      );
      show(command, moved, ({ from, rows, left_out }) =>
        [
          details({ Moved: from, ...countRows(rows, left_out) }),
          '',
          `All rows were copied. Now set DATABASE_URL to that address and start the server.`,
          `${from} is unchanged. Start no server on it again; delete it when you miss nothing.`,
        ].join('\n'),
      );
    });
}
