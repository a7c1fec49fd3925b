import type { projects } from '#contract/owner/projects.ts';
import { closeOwnProject, type ProjectRow, updateProject } from '#db/queries/projects.ts';
import { bumpSiteVersion } from '#db/queries/sites.ts';
import type { App } from '#server/app.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { addProject } from './projects.ts';
import { requireRecentLogin } from '../sessions/recent-login.ts';

export function projectsRoutes({ allowances }: App): Handlers<typeof projects> {
  return {
    createProject: async ({ accountId, body: { name }, db }) => {
      const project = await addProject(db, { accountId, name }, allowances.projectLimit);
      return { status: 200, body: { project: serializeProject(project) } };
    },

    renameProject: async ({ accountId, body: { project_id: id, name }, db, refuse }) => {
      const project = await updateProject(db, { accountId, id }, { name });
      if (!project) throw refuse('projectNotFound');
      return { status: 200, body: { project: serializeProject(project) } };
    },

    deleteProject: async ({
      accountId,
      credential,
      body: { project_id: projectId },
      db,
      refuse,
    }) => {
      await requireRecentLogin(db, { accountId, credential });
      await lockAccount(db, accountId);
      if (!(await closeOwnProject(db, accountId, projectId))) throw refuse('projectNotFound');
      await bumpSiteVersion(db, projectId);
      return { status: 200, body: { success: true } };
    },
  };
}

function serializeProject({ id, ...project }: ProjectRow) {
  return { project_id: id, ...serializeTimes(project) };
}
