import type { projects } from '#contract/owner/projects.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { deleteKeysOfProject } from '#db/queries/api-keys.ts';
import { closeOwnProject, listProjects, updateProject } from '#db/queries/projects.ts';
import { bumpSiteVersion } from '#db/queries/sites.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { logEvent } from '../events/log-event.ts';
import { addProject } from './projects.ts';

export function projectsRoutes(app: Core): Handlers<typeof projects> {
  return {
    listProjects: async ({ accountId, readDb }) => {
      const rows = await listProjects(readDb, accountId);
      return { projects: rows.map(serializeTimes) };
    },

    getProject: async ({ accountId, readDb, query: { project_id: id }, refuse }) => {
      const rows = await listProjects(readDb, accountId);
      const project = rows.find((row) => row.id === id.toLowerCase());
      if (!project) throw refuse('projectNotFound');
      return { project: serializeTimes(project) };
    },

    createProject: async ({ accountId, body: { name }, db }) => {
      const project = await addProject(db, { accountId, name }, app.allowances.projectLimit);
      return { project: serializeTimes(project) };
    },

    updateProject: async ({ accountId, body: { project_id: id, name }, db, refuse }) => {
      const project = await updateProject(db, { accountId, id }, { name });
      if (!project) throw refuse('projectNotFound');
      return { project: serializeTimes(project) };
    },

    deleteProject: async ({ accountId, credential, body, db, refuse }) => {
      const { project_id: projectId } = body;
      await lockAccount(db, accountId);
      if (!(await closeOwnProject(db, accountId, projectId))) throw refuse('projectNotFound');
      for (const key of await deleteKeysOfProject(db, projectId)) {
        const detail = { ...key, by: credentialId(credential) };
        await logEvent(db, app, { accountId, type: 'key_revoked', detail });
      }
      await bumpSiteVersion(db, projectId);
    },
  };
}
