import { utcDay } from '#contract/shared/durations.ts';
import { deleteOldPageVisits } from '#db/queries/page-visits.ts';
import type { Core } from '#server/core.ts';
import { defineFeature } from '../define-feature.ts';
import { exportVisits } from './export-visits.ts';
import { visitorsRoutes } from './owner-routes.ts';
import { VisitCounter } from './visit-counter.ts';

export const visitors = defineFeature({
  name: 'visitors',
  optional: true,
  service: ({ db, log, server }: Core) => {
    const counter = new VisitCounter(db, (error) =>
      log.error({ err: error }, 'could not store page views and clicks'),
    );
    server.addHook('onClose', () => counter.flush());
    return counter;
  },
  routes: { owner: { visitors: visitorsRoutes } },
  deletesByAge: ({ db, config: { VISITOR_DAYS: days } }: Pick<Core, 'config' | 'db'>) =>
    deleteOldPageVisits(db, { today: utcDay(), days }),
  accountTables: { page_visits: 'exported' },
  exportFiles: (db, { accountId }) => [
    {
      name: 'visitors.csv',
      description: 'Page views and link clicks per day (UTC).',
      read: () => exportVisits(db, accountId),
    },
  ],
});
