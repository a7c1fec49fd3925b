import type { contract } from '../../../contract/index.ts';
import { UUID } from '../../../contract/uuid.ts';
import { assertAccount } from '../../../db/queries/accounts.ts';
import { listProjects } from '../../../db/queries/projects.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { MetricWriter } from '../../service/metrics/metric-writer.ts';

export function statsRoutes(writeMetric: MetricWriter): Handlers<typeof contract.stats> {
  return {
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

    ingestMetrics: async ({ accountId, body, db, refuse }) => {
      const { projectId, payload } = body;
      const metric = { accountId, projectId, payload };
      const stored = UUID.test(projectId) && (await writeMetric(db, metric));
      if (!stored) {
        await assertAccount(db, accountId);
        throw refuse('projectForbidden');
      }
      return { status: 200, body: { message: 'The metric was ingested.' } };
    },
  };
}
