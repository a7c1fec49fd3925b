import { limitedText } from '../../../contract/text.ts';
import { type ProjectRow, insertProject, listProjects } from '../../../db/queries/stats.ts';
import { withAccount } from '../../service/accounts/with-account.ts';
import { accountOption, checked } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, details, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

const NAME = 'A project name is a text of 1 to 200 characters.';

const ProjectName = limitedText(200, NAME).regex(/\S/, NAME);

export function addProjectsCommands(program: Program): void {
  const projects = program
    .command('projects')
    .description('make and list projects')
    .addHelpText('after', examples('projects list --account jane-doe'));

  projects
    .command('create')
    .description('make a project that metrics can be sent to')
    .addOption(accountOption)
    .requiredOption('--name <text>', 'name of the project', checked(ProjectName))
    .addHelpText('after', examples('projects create --account jane-doe --name Shop'))
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
    .addHelpText('after', examples('projects list --account jane-doe'))
    .action(async ({ account }, command) => {
      const list = await withService('The projects could not be listed.', ({ db }) =>
        withAccount(db, account, (trx, { account_id }) => listProjects(trx, account_id)),
      );
      show(command, list, projectsTable);
    });
}

export function projectsTable(projects: ProjectRow[]): string {
  return table(
    ['Project', 'Name', 'Made'],
    projects.map((project) => [project.id, project.name, time(project.created_at)]),
    'The account has no projects.',
  );
}
