import packageJson from '../../../package.json' with { type: 'json' };
import { details, examples, megabytes, type Program, show } from '../output.ts';
import { withOpened, withService } from '../with-service.ts';
import { Settings } from '#server/settings/config.ts';
import { checked } from '../argument.ts';
import type { Totals } from '#db/backup/source.ts';

const STDOUT = '-';

export function addBackupCommand(program: Program): void {
  program
    .command('backup')
    .description('write the whole database to a file, even while servers run')
    .argument('<file>', 'name of the file, or - for standard output')
    .option('-f, --force', 'replace the file if it exists')
    .addHelpText(
      'after',
      `${examples('backup nameplate.zip')}

A backup holds personal data and the hashes of keys; the file can be read by its owner alone.`,
    )
    .action(async (file, { force = false }, command) => {
      if (file === STDOUT && process.stdout.isTTY)
        command.error('error: a backup is not for a terminal: name a file, or pipe it somewhere');
      const made = await withOpened(
        'The backup could not be written.',
        async () => {
          const { openBackup } = await import('../backup/open-backup.ts');
          return openBackup(file === STDOUT ? undefined : { name: file, replace: force });
        },
        (backup) => backup.write(packageJson.version),
      );
      if (made === undefined) return;
      show(command, { file, ...made }, ({ bytes, rows }) =>
        details({ Backup: file, Size: megabytes(bytes), ...countRows(rows) }),
      );
    });
}

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
      const restored = await withOpened(
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
      const moved = await withOpened(
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

function countRows(
  rows: Totals['rows'],
  strangers: readonly string[] = [],
): Record<string, string> {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return {
    Accounts: String(rows['accounts'] ?? 0),
    Rows: String(all),
    ...(strangers.length > 0 && {
      'Left out': `${strangers.join(', ')}: not a table of Nameplate`,
    }),
  };
}

export function addMigrateCommand(program: Program): void {
  program
    .command('migrate')
    .description('update the database schema to this version, as every start does')
    .addHelpText('after', examples('migrate'))
    .action(async (_options, command) => {
      const result = await withService(
        'The database could not be migrated.',
        async ({ migrations }) => ({ migrations }),
        { make: true },
      );
      show(command, result, ({ migrations }) =>
        migrations.length === 0
          ? 'The database is up to date.'
          : `Ran ${migrations.join(', ')}. The database is up to date.`,
      );
    });
}
