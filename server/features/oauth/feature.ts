import { listGrants } from '#db/queries/oauth-grants.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { endedSessionsJob } from './ended-sessions-job.ts';
import { endGrants, endSessionGrants } from './grants.ts';
import { logoutJob } from './logout-job.ts';
import { OAuth } from './oauth.ts';
import { clientsRoutes, grantsRoutes } from './owner-routes.ts';

export const oauth = defineFeature({
  name: 'oauth',
  optional: true,
  service: (core: Core) => new OAuth(core),
  routes: { operator: { clients: clientsRoutes }, owner: { grants: grantsRoutes } },
  reactions: {
    sessionsEnded: async (trx, app, { accountId, everywhere }) =>
      everywhere
        ? void (await endGrants(trx, app, { accountId }))
        : endSessionGrants(trx, app, accountId),
  },
  jobs: [logoutJob, endedSessionsJob],
  expiring: ['oauth_tokens', 'oauth_grants', 'oauth_clients'],
  accountTables: {
    oauth_grants: 'exported',
    oauth_subjects: 'not exported: only websites know these ids',
  },
  exportFiles: (db, { accountId }) => [
    jsonFile('connected-apps.json', 'The websites and apps that the account is connected to.', () =>
      listGrants(db, accountId),
    ),
  ],
});
