import { countRows } from '../backup/count-rows.ts';
import { examples } from '../examples.ts';
import { details, type Program, show } from '../output.ts';
import { undertake } from '../undertake.ts';

export function addRestoreCommand(program: Program): void {
  program
    .command('restore')
    .description('restore a backup into an empty database: all of it or nothing')
    .argument('<file>', 'file written by backup')
    .addHelpText(
      'after',
      `${examples('restore nameplate.zip')}

Restores into the database of DATABASE_URL, which must be empty, or into a new one in DATA_DIR.`,
    )
    .action(async (file, _options, command) => {
      const restored = await undertake(
        'The backup could not be restored.',
        async () => {
          const { openRestore } = await import('../backup/open-restore.ts');
          return openRestore(file);
        },
        async ({ manifest, place, run }) => {
          const { rows, strangers } = await run();
          const { version, made_at } = manifest;
          return { file, version, made_at, place, rows, left_out: strangers };
        },
      );
      show(command, restored, ({ version, made_at, place, rows, left_out }) =>
        details({
          Restored: file,
          Created: `${made_at}, by version ${version}`,
          Into: place,
          ...countRows(rows, left_out),
        }),
      );
    });
}
