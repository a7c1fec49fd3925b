import type { SourceSummary } from '#db/backup/source.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import { formatDetails, examples, formatMegabytes, type Program, printResult } from '../output.ts';
import { withResource, withService } from '../with-service.ts';

const STDOUT_NAME = '-';

export function addBackupCommand(program: Program): void {
  program
    .command('backup')
    .description('write the whole database to a file; servers can keep running')
    .argument('<file>', 'name of the file, or - for standard output')
    .option('-f, --force', 'replace the file if it exists')
    .addHelpText(
      'after',
      `${examples('backup nameplate.zip')}

A backup contains personal data and key hashes. Only its owner can read the file.`,
    )
    .action(async (file, { force = false }, command) => {
      if (file === STDOUT_NAME && process.stdout.isTTY)
        command.error('error: cannot write a backup to a terminal; name a file or pipe the output');
      const backup = await withResource(
        'The backup could not be written.',
        async () => {
          const { openBackup } = await import('../backup/open-backup.ts');
          return openBackup(file === STDOUT_NAME ? undefined : { name: file, replace: force });
        },
        ({ write }) => write(packageJson.version),
      );
      if (backup === undefined) return;
      printResult(command, { file, ...backup }, ({ bytes, rows }) =>
        formatDetails({ Backup: file, Size: formatMegabytes(bytes), ...formatRowCounts(rows) }),
      );
    });
}

export function addRestoreCommand(program: Program): void {
  program
    .command('restore')
    .description('restore a backup into an empty database, in one transaction')
    .argument('<file>', 'file written by backup')
    .addHelpText(
      'after',
      `${examples('restore nameplate.zip')}

The target is the database of DATABASE_URL, which must be empty, or a new one in DATA_DIR.`,
    )
    .action(async (file, _options, command) => {
      const restored = await withResource(
        'The backup could not be restored.',
        async () => {
          const { openRestore } = await import('../backup/open-restore.ts');
          return openRestore(file);
        },
        async ({ manifest, databaseDescription, run }) => {
          const { rows, unknownTables } = await run();
          const { version, made_at } = manifest;
          return {
            file,
            version,
            made_at,
            database: databaseDescription,
            rows,
            unknown_tables: unknownTables,
          };
        },
      );
      printResult(
        command,
        restored,
        ({ version, made_at, database: description, rows, unknown_tables }) =>
          formatDetails({
            Restored: file,
            Created: `${made_at}, by version ${version}`,
            Into: description,
            ...formatRowCounts(rows, unknown_tables),
            Next: 'put .env back, and encryption.key into DATA_DIR (with DATABASE_URL: into .env as ENCRYPTION_KEY); then start',
          }),
      );
    });
}

function formatRowCounts(
  rows: SourceSummary['rows'],
  unknownTables: readonly string[] = [],
): Record<string, string> {
  const totalRows = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return {
    Accounts: String(rows['accounts'] ?? 0),
    Rows: String(totalRows),
    ...(unknownTables.length > 0 && {
      'Left out': `${unknownTables.join(', ')} (not a Nameplate table)`,
    }),
  };
}

export function addMigrateCommand(program: Program): void {
  program
    .command('migrate')
    .description('update the database schema to this version, like every server start')
    .addHelpText('after', examples('migrate'))
    .action(async (_options, command) => {
      const result = await withService(
        'The database could not be migrated.',
        async ({ migrations }) => ({ migrations }),
        { createIfMissing: true },
      );
      printResult(command, result, ({ migrations }) =>
        migrations.length === 0
          ? 'The database is up to date.'
          : `Ran ${migrations.join(', ')}. The database is up to date.`,
      );
    });
}
