import { UUID_PATTERN } from '#contract/uuid.ts';
import { type ProjectRow, findProject, listProjects } from '#db/queries/projects.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { requireAccount } from '../features/accounts/with-account.ts';
import { requireProject } from '../features/projects/projects.ts';
import { didYouMean } from '../features/names/did-you-mean.ts';
import { CommandFailedError } from './command-failed.ts';
import type { Program } from './output.ts';

type ProjectWithAccount = ProjectRow & { account_id: string };

/**
 * Finds a project by id, or by name within an account. A name without an account is a usage error,
 * reported before the database is opened.
 */
export function createProjectFinder(
  command: Pick<Program, 'error'>,
  project: string,
  account: string | undefined,
): (trx: Transaction) => Promise<ProjectWithAccount> {
  const isId = UUID_PATTERN.test(project);
  if (!isId && account === undefined)
    command.error(
      'error: a project name needs --account; or use the project id from projects list',
    );
  return async (trx) => {
    const byId = isId ? await findProject(trx, project) : undefined;
    if (account === undefined) return requireProject(project, byId);
    const { account_id } = await requireAccount(trx, account);
    if (byId?.account_id === account_id) return byId;
    const projects = await listProjects(trx, account_id);
    const matches = projects.filter(({ name }) => name.toLowerCase() === project.toLowerCase());
    const [found] = matches;
    if (!found)
      throw new CommandFailedError(
        `The account ${account} has no project "${project}".${didYouMean(
          project,
          projects.map(({ name }) => name),
        )}`,
      );
    if (matches.length > 1)
      throw new CommandFailedError(
        `The account ${account} has ${matches.length} projects named "${project}". Use an id: ${matches.map(({ id }) => id).join(', ')}.`,
      );
    return { ...found, account_id };
  };
}
