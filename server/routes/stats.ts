import type { contract } from '../../contract/index.ts';
import { insertMetric, listProjects } from '../../db/queries/stats.ts';
import type { Handlers } from '../adapter.ts';
import { RequestError } from '../request-error.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Specification, endpoints 8 and 9. */
export const statsRoutes: Handlers<typeof contract.stats> = {
  getProjects: async ({ accountId, db }) => {
    const projects = await listProjects(db, accountId);
    return {
      status: 200,
      body: {
        projects: projects.map((project) => ({
          ...project,
          created_at: project.created_at.toISOString(),
        })),
      },
    };
  },

  ingestMetrics: async ({ accountId, body, db }) => {
    const { projectId, payload } = body;
    const stored =
      UUID.test(projectId) && (await insertMetric(db, { accountId, projectId, payload }));
    if (!stored) throw new RequestError(403, 'The project does not belong to you.');
    return { status: 200, body: { message: 'The metric was ingested.' } };
  },
};
