import { listMetrics } from '#db/queries/metrics.ts';
import { listProjectsWithRetention } from '#db/queries/projects.ts';
import type { Core } from '#server/core.ts';
import { defineFeature } from '../define-feature.ts';
import { formatRecords } from './format-records.ts';
import { metricsRoutes } from './owner-routes.ts';
import { PageMetrics } from './page-metrics.ts';
import { statsRoutes } from './routes.ts';
import { metricSweepJob, sweepMetrics } from './sweep-metrics.ts';

export const metrics = defineFeature({
  name: 'metrics',
  service: (app: Core) => new PageMetrics(app),
  routes: { public: { stats: statsRoutes }, owner: { metrics: metricsRoutes } },
  jobs: [metricSweepJob],
  hourly: ({ db }: Pick<Core, 'db'>, signal) => sweepMetrics(db, signal),
  exportFiles: async (db, { accountId }) =>
    (await listProjectsWithRetention(db, accountId)).map(({ id, name }) => ({
      name: `metrics/${id}.ndjson`,
      description: `The metrics of the project ${name}, oldest first, one per line.`,
      read: () => formatRecords(listMetrics(db, { projectId: id }), 'ndjson'),
    })),
});
