import { listAlerts } from '#db/queries/alerts.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { connections } from '../connections/feature.ts';
import { defineFeature } from '../define-feature.ts';
import { ALERT_ERRORS } from './alert-message.ts';
import { alertEvaluationJob } from './evaluate-alerts.ts';
import { findFiringAlerts } from './firing-finding.ts';
import { alertRoutes } from './owner-routes.ts';

export const alerts = defineFeature({
  name: 'alerts',
  optional: true,
  needs: [connections],
  routes: { owner: { alerts: alertRoutes } },
  jobs: [alertEvaluationJob],
  ownToDo: [findFiringAlerts],
  accountTables: { alerts: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('alerts.json', 'The alerts on metrics.', async () =>
      (await listAlerts(db, accountId)).map((alert) => ({
        ...alert,
        last_error: formatStored(ALERT_ERRORS, alert.last_error),
      })),
    ),
  ],
});
