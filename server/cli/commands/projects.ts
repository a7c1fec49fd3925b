import { inTransaction } from '#db/connections/transaction.ts';
import { ProjectName } from '#contract/owner/projects.ts';
import { listProjects, type ProjectRow, renameProject } from '#db/queries/projects.ts';
import { requireAccount, withAccount } from '#server/features/accounts/with-account.ts';
import { addProject, deleteProject, requireProject } from '#server/features/projects/projects.ts';
import { accountOption, parseWith, projectAccountOption, ProjectReference } from '../argument.ts';
import { requireConfirmation, requireTerminal } from '../confirm.ts';
import {
  formatDetails,
  examples,
  type Program,
  printResult,
  formatTable,
  formatTime,
} from '../output.ts';
import { createProjectFinder } from '../project-finder.ts';
import { withService } from '../with-service.ts';

const EXAMPLE_ID = '1cd4187b-5ece-4b22-b829-dc6244294b43';

export function addProjectsCommands(program: Program): void {
  const projects = program
    .command('projects')
    .description('create, list, rename and delete projects')
    .addHelpText('after', examples('projects list --account jane-doe'));

  projects
    .command('create')
    .description('create a project to submit metrics to')
    .addOption(accountOption)
    .requiredOption('--name <text>', 'name of the project', parseWith(ProjectName))
    .addHelpText('after', examples('projects create --account jane-doe --name Shop'))
    .action(async ({ account, name }, command) => {
      const project = await withService(
        'The project could not be created.',
        ({ runAudited, allowances }) =>
          runAudited('projects create', async (trx, audit) => {
            const { account_id } = await requireAccount(trx, account);
            const input = { accountId: account_id, name };
            const created = await addProject(trx, input, allowances.projectLimit);
            audit({ project_id: created.id });
            return created;
          }),
      );
      printResult(command, project, formatProject);
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
      printResult(command, list, formatProjectsTable);
    });

  projects
    .command('rename')
    .description('rename a project')
    .argument('<name-or-id>', 'name or id of the project', parseWith(ProjectReference))
    .argument('<new-name>', 'new name', parseWith(ProjectName))
    .addOption(projectAccountOption)
    .addHelpText(
      'after',
      examples(
        'projects rename Shop "Web shop" --account jane-doe',
        `projects rename ${EXAMPLE_ID} "Web shop"`,
      ),
    )
    .action(async (reference, name, { account }, command) => {
      const find = createProjectFinder(command, reference, account);
      const project = await withService('The project could not be renamed.', ({ runAudited }) =>
        runAudited('projects rename', async (trx, audit) => {
          const { id } = await find(trx);
          audit({ project_id: id });
          return requireProject(id, await renameProject(trx, { id, name }));
        }),
      );
      printResult(command, project, formatProject);
    });

  projects
    .command('delete')
    .description('delete a project and its metrics')
    .argument('<name-or-id>', 'name or id of the project', parseWith(ProjectReference))
    .addOption(projectAccountOption)
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      examples('projects delete Shop --account jane-doe', `projects delete ${EXAMPLE_ID}`),
    )
    .action(async (reference, { account, yes }, command) => {
      const find = createProjectFinder(command, reference, account);
      if (!yes) requireTerminal(command);
      const deleted = await withService(
        'The project could not be deleted.',
        async ({ db, runAudited }) => {
          const { id, name, account_id } = await inTransaction(db, find);
          if (!yes) await requireConfirmation(`Delete project ${id} (${name}) with its metrics?`);
          return deleteProject(
            (step, work) =>
              runAudited('projects delete', (trx, audit) => {
                audit({ account_id, project_id: id, detail: { step } });
                return work(trx);
              }),
            id,
          );
        },
      );
      printResult(command, { id: deleted.id, name: deleted.name }, (project) =>
        formatDetails({ Deleted: project.id, Name: project.name }),
      );
    });
}

function formatProject({ id, name, created_at }: ProjectRow): string {
  return formatDetails({ Project: id, Name: name, Created: formatTime(created_at) });
}

export function formatProjectsTable(projects: ProjectRow[]): string {
  return formatTable(
    ['Project', 'Name', 'Created'],
    projects.map((project) => [project.id, project.name, formatTime(project.created_at)]),
    'The account has no projects.',
  );
}
