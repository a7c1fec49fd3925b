import { limitedText } from '../../../contract/text.ts';
import { insertProject, listProjects } from '../../../db/queries/stats.ts';
import { withAccount } from '../../service/accounts/with-account.ts';
import { accountOption, checked } from '../argument.ts';
import { type Program, details, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

const NAME = 'A project name is a text of 1 to 200 characters.';

const ProjectName = limitedText(200, NAME).regex(/\S/, NAME);

export function addProjectsCommands(program: Program): void {
  const projects = program.command('projects').description('make and list projects');

  projects
    .command('create')
    .description('make a project that metrics can be sent to')
    .addOption(accountOption)
    .requiredOption('--name <text>', 'name of the project', checked(ProjectName))
    .action(async ({ account, name: typed }, command) => {
      const project = await withService('The project could not be created.', ({ db }) =>
        withAccount(db, account, (trx, { account_id }) => insertProject(trx, account_id, typed)),
      );
      show(command, project, ({ id, name, created_at }) =>
        details({ Project: id, Name: name, Made: time(created_at) }),
      );
    });

  projects
    .command('list')
    .description('list the projects of an account, oldest first')
    .addOption(accountOption)
    .action(async ({ account }, command) => {
      const list = await withService('The projects could not be listed.', ({ db }) =>
        withAccount(db, account, (trx, { account_id }) => listProjects(trx, account_id)),
      );
      show(command, list, (rows) =>
        table(
          ['Project', 'Name', 'Made'],
          rows.map((row) => [row.id, row.name, time(row.created_at)]),
          'The account has no projects.',
        ),
      );
    });
}
