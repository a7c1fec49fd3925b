import type { contract } from '#contract/index.ts';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { readAccount } from '#db/queries/accounts.ts';
import { listProjects } from '#db/queries/projects.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { REPLAYED_HEADERS } from '#server/platform/http/contract/idempotency.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { MetricWriter } from './metric-writer.ts';

const refuseWrite = createRefuser(WRITE_REFUSALS);

const INGESTED_RESPONSE = { status: 200, body: { message: 'The metric was ingested.' } } as const;

export function statsRoutes(app: App): Handlers<typeof contract.stats> {
  const metricWriter = new MetricWriter(app);
  return {
    getProjects: async ({ accountId, readDb }) => {
      const projects = await listProjects(readDb, accountId);
      return { status: 200, body: { projects: projects.map(serializeTimes) } };
    },

    ingestMetrics: async ({ accountId, body, db, idempotencyKey, refuse }) => {
      const result = await metricWriter.write(db, { ...body, accountId }, idempotencyKey);
      if (result === 'stored') return INGESTED_RESPONSE;
      if (result === 'replayed') return { ...INGESTED_RESPONSE, headers: REPLAYED_HEADERS };
      if (result === 'keyReused') throw refuseWrite('idempotencyKeyReused');
      await readAccount(db, accountId);
      throw refuse('projectForbidden');
    },
  };
}
