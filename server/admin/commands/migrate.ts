import type { Command } from 'commander';
import { answered } from '../client.ts';
import { show } from '../output.ts';
import { withAdmin } from '../with-admin.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this version, as every start does')
    .action(async (_options: object, command: Command) => {
      const result = await withAdmin(
        async (admin) => answered(await admin.migrations.migrate({ body: {} })),
        { migrated: false },
      );
      show(command, result, ({ migrations }) =>
        migrations.length === 0
          ? 'The database is up to date.'
          : `Ran ${migrations.join(', ')}. The database is up to date.`,
      );
    });
}
