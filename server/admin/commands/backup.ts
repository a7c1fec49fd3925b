import packageJson from '../../../package.json' with { type: 'json' };
import { examples } from '../examples.ts';
import { details, megabytes, type Program, show } from '../output.ts';
import { undertake } from '../undertake.ts';
import { countRows } from '../backup/count-rows.ts';

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
      const made = await undertake(
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
