import { listConnections } from '#db/queries/connections.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { chat } from '../chat/feature.ts';
import { defineFeature } from '../define-feature.ts';
import { alertMail, eventMail } from './connection-mails.ts';
import { deliveryJob, resumeDeliveries } from './delivery-job.ts';
import { findFailingConnections } from './failing-finding.ts';
import { connectionRoutes } from './owner-routes.ts';
import { createReceivers } from './receivers.ts';
import { withoutSecrets } from './serialize-connection.ts';

export const connections = defineFeature({
  name: 'connections',
  optional: true,
  needs: [chat],
  service: ({ config }: Core) => createReceivers(config),
  routes: { owner: { connections: connectionRoutes } },
  jobs: [deliveryJob],
  mails: [alertMail, eventMail],
  hourly: resumeDeliveries,
  ownToDo: [findFailingConnections],
  accountTables: { connections: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('connections.json', 'The connections, without their addresses.', async () =>
      (await listConnections(db, accountId)).map(withoutSecrets),
    ),
  ],
});
