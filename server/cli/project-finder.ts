import type { Kysely } from 'kysely';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { type ProjectRow, findProject, listProjects } from '#db/queries/projects.ts';
import type { Database } from '#db/schema.ts';
import { withAccount } from '../features/accounts/with-account.ts';
import { demandProject } from '../features/projects/projects.ts';
import { suggestNames } from '../features/names/similar-names.ts';
import { CommandFailedError } from './command-failed.ts';
import type { Program } from './output.ts';

type FoundProject = ProjectRow & { account_id: string };

/**
 * Finds a project by its id, or by its name among the projects of an account. A name without an
 * account is refused at once, before a database is opened.
 */
export function projectFinder(
  command: Pick<Program, 'error'>,
  project: string,
  account: string | undefined,
): (db: Kysely<Database>) => Promise<FoundProject> {
  const isId = UUID_PATTERN.test(project);
  if (!isId && account === undefined)
    command.error('error: add --account to name a project, or use its id from projects list');
  return async (db) => {
    const byId = isId ? await findProject(db, project) : undefined;
    if (account === undefined) return demandProject(project, byId);
    return withAccount(db, account, async (trx, { account_id }) => {
      if (byId?.account_id === account_id) return byId;
      const projects = await listProjects(trx, account_id);
      const named = projects.filter(({ name }) => name.toLowerCase() === project.toLowerCase());
      const [found] = named;
      if (!found)
        throw new CommandFailedError(
          `The account ${account} has no project "${project}".${suggestNames(
            project,
            projects.map(({ name }) => name),
          )}`,
        );
      if (named.length > 1)
        throw new CommandFailedError(
          `The account ${account} has ${named.length} projects named "${project}". Use an id: ${named.map(({ id }) => id).join(', ')}.`,
        );
      return { ...found, account_id };
    });
  };
}
