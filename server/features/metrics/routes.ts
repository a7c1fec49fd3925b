import type { contract } from '#contract/index.ts';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { PROJECT_KEY_REFUSALS } from '#contract/stats.ts';
import { requireAccount } from '#db/queries/accounts.ts';
import { listProjects } from '#db/queries/projects.ts';
import type { Core } from '#server/core.ts';
import { REPLAYED_HEADERS } from '#server/platform/http/contract/idempotency.ts';
import { type Handlers, WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { MetricWriter } from './metric-writer.ts';

const refuseWrite = createRefuser(WRITE_REFUSALS);
const refuseProject = createRefuser(PROJECT_KEY_REFUSALS);

const INGESTED_RESPONSE = { message: 'The metric was ingested.' };

export function statsRoutes(app: Core): Handlers<typeof contract.stats> {
  const metricWriter = new MetricWriter(app);
  return {
    getProjects: async ({ accountId, readDb }) => {
      const projects = await listProjects(readDb, accountId);
      return { projects: projects.map(serializeTimes) };
    },

    ingestMetrics: async ({ accountId, keyProjectId, body, db, idempotencyKey, refuse }) => {
      if (keyProjectId !== undefined && body.projectId.toLowerCase() !== keyProjectId)
        throw refuseProject('projectForbidden');
      const result = await metricWriter.write(db, { ...body, accountId }, idempotencyKey);
      if (result === 'stored') return INGESTED_RESPONSE;
      if (result === 'replayed') return new WithHeaders(REPLAYED_HEADERS, INGESTED_RESPONSE);
      if (result === 'keyReused') throw refuseWrite('idempotencyKeyReused');
      await requireAccount(db, accountId);
      throw refuse('projectForbidden');
    },
  };
}
