import type { contract } from '#contract/index.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { assertAccount } from '#db/queries/accounts.ts';
import { listProjects } from '#db/queries/projects.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/http/contract/register-contract.ts';
import { KeyUsedError } from '#server/http/contract/idempotency.ts';
import { createMetricWriter } from './metric-writer.ts';

const INGESTED_RESPONSE = { status: 200, body: { message: 'The metric was ingested.' } } as const;

export function statsRoutes(app: App): Handlers<typeof contract.stats> {
  const metricWriter = createMetricWriter(app);
  return {
    getProjects: async ({ accountId, readDb }) => {
      const projects = await listProjects(readDb, accountId);
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

    ingestMetrics: async ({
      accountId,
      body: { projectId, payload },
      db,
      idempotencyKey,
      refuse,
    }) => {
      const metric = { accountId, projectId, payload };
      const claim = idempotencyKey && {
        ...idempotencyKey,
        status: INGESTED_RESPONSE.status,
        response: INGESTED_RESPONSE.body,
      };
      const result = UUID_PATTERN.test(projectId)
        ? await metricWriter.write(db, metric, claim)
        : 'forbidden';
      if (result === 'stored') return INGESTED_RESPONSE;
      if (result === 'keyUsed') throw new KeyUsedError();
      await assertAccount(db, accountId);
      throw refuse('projectForbidden');
    },
  };
}
