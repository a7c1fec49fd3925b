import { listConnections } from '#db/queries/connections.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { alertMail, eventMail } from './connection-mails.ts';
import { deliveryJob, resumeDeliveries } from './delivery-job.ts';
import { withoutSecrets } from './serialize-connection.ts';
import { connectionRoutes } from './owner-routes.ts';
import { defineFeature } from '../define-feature.ts';

export const connections = defineFeature({
  routes: { owner: { connections: connectionRoutes } },
  jobs: [deliveryJob],
  mails: [alertMail, eventMail],
  hourly: resumeDeliveries,
  accountTables: { connections: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('connections.json', 'The connections, without their addresses.', async () =>
      (await listConnections(db, accountId)).map(withoutSecrets),
    ),
  ],
});
