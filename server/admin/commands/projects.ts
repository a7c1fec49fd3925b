import type { Command } from 'commander';
import { checked } from '../argument.ts';
import { answered } from '../client.ts';
import { AccountReference } from '../contract/accounts.ts';
import { ProjectName } from '../contract/projects.ts';
import { details, show, table, time } from '../output.ts';
import { withAdmin } from '../with-admin.ts';

export function addProjectsCommands(program: Command): void {
  const projects = program.command('projects').description('make and list projects');

  projects
    .command('create')
    .description('make a project that metrics can be sent to')
    .requiredOption(
      '--account <name-or-id>',
      'display name or id of the account',
      checked(AccountReference),
    )
    .requiredOption('--name <text>', 'name of the project', checked(ProjectName))
    .action(async (body: { account: string; name: string }, command: Command) => {
      const project = await withAdmin(async (admin) =>
        answered(await admin.projects.createProject({ body })),
      );
      show(command, project, ({ id, name, created_at }) =>
        details({ Project: id, Name: name, Made: time(created_at) }),
      );
    });

  projects
    .command('list')
    .description('list the projects of an account, oldest first')
    .requiredOption(
      '--account <name-or-id>',
      'display name or id of the account',
      checked(AccountReference),
    )
    .action(async (query: { account: string }, command: Command) => {
      const list = await withAdmin(async (admin) =>
        answered(await admin.projects.listProjects({ query })),
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
