import { examples, type Program, show } from '../output.ts';
import { withService } from '../with-service.ts';

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
