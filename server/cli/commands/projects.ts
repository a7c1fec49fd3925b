import { ProjectName } from '#contract/owner/projects.ts';
import { listProjects, type ProjectRow, renameProject } from '#db/queries/projects.ts';
import { withAccount } from '#server/features/accounts/with-account.ts';
import { addProject, deleteProject, demandProject } from '#server/features/projects/projects.ts';
import { accountOption, checked, projectAccountOption, ProjectReference } from '../argument.ts';
import { demandConsent, demandTerminal } from '../confirm.ts';
import { details, examples, type Program, show, table, time } from '../output.ts';
import { projectFinder } from '../project-finder.ts';
import { withService } from '../with-service.ts';

const EXAMPLE_ID = '1cd4187b-5ece-4b22-b829-dc6244294b43';

export function addProjectsCommands(program: Program): void {
  const projects = program
    .command('projects')
    .description('create, list, rename and delete projects')
    .addHelpText('after', examples('projects list --account jane-doe'));

  projects
    .command('create')
    .description('create a project that metrics can be sent to')
    .addOption(accountOption)
    .requiredOption('--name <text>', 'name of the project', checked(ProjectName))
    .addHelpText('after', examples('projects create --account jane-doe --name Shop'))
    .action(async ({ account, name }, command) => {
      const project = await withService(
        'The project could not be created.',
        ({ change, allowances }) =>
          change('projects create', (trx, about) =>
            withAccount(trx, account, async (_trx, { account_id }) => {
              const wanted = { accountId: account_id, name };
              const made = await addProject(trx, wanted, allowances.projects);
              about({ project_id: made.id });
              return made;
            }),
          ),
      );
      show(command, project, projectDetails);
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

  projects
    .command('rename')
    .description('rename a project')
    .argument('<name-or-id>', 'name or id of the project', checked(ProjectReference))
    .argument('<new-name>', 'its new name', checked(ProjectName))
    .addOption(projectAccountOption)
    .addHelpText(
      'after',
      examples(
        'projects rename Shop "Web shop" --account jane-doe',
        `projects rename ${EXAMPLE_ID} "Web shop"`,
      ),
    )
    .action(async (reference, name, { account }, command) => {
      const find = projectFinder(command, reference, account);
      const project = await withService('The project could not be renamed.', ({ change }) =>
        change('projects rename', async (trx, about) => {
          const { id } = await find(trx);
          about({ project_id: id });
          return demandProject(id, await renameProject(trx, { id, name }));
        }),
      );
      show(command, project, projectDetails);
    });

  projects
    .command('delete')
    .description('delete a project with its metrics')
    .argument('<name-or-id>', 'name or id of the project', checked(ProjectReference))
    .addOption(projectAccountOption)
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      examples('projects delete Shop --account jane-doe', `projects delete ${EXAMPLE_ID}`),
    )
    .action(async (reference, { account, yes }, command) => {
      const find = projectFinder(command, reference, account);
      if (!yes) demandTerminal(command);
      const deleted = await withService(
        'The project could not be deleted.',
        async ({ db, change }) => {
          const { id, name, account_id } = await find(db);
          if (!yes) await demandConsent(`Delete project ${id} (${name}) with its metrics?`);
          return deleteProject(
            (step, work) =>
              change('projects delete', (trx, about) => {
                about({ account_id, project_id: id, detail: { step } });
                return work(trx);
              }),
            id,
          );
        },
      );
      show(command, { id: deleted.id, name: deleted.name }, (project) =>
        details({ Deleted: project.id, Name: project.name }),
      );
    });
}

function projectDetails({ id, name, created_at }: ProjectRow): string {
  return details({ Project: id, Name: name, Created: time(created_at) });
}

export function projectsTable(projects: ProjectRow[]): string {
  return table(
    ['Project', 'Name', 'Created'],
    projects.map((project) => [project.id, project.name, time(project.created_at)]),
    'The account has no projects.',
  );
}
