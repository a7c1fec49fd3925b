import { listIdentities } from '#db/queries/identities.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { identityMail } from './identity-mail.ts';
import { leaverMail } from './leaver.ts';
import { identitiesRoutes } from './owner-routes.ts';
import { findSignOnState } from './sign-on-finding.ts';
import { createSignOn } from './sign-on.ts';

export const signOn = defineFeature({
  name: 'signOn',
  optional: true,
  service: ({ config }: Core) => createSignOn(config),
  findings: [findSignOnState],
  routes: { owner: { identities: identitiesRoutes } },
  mails: [identityMail, leaverMail],
  accountTables: { identities: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('identities.json', 'The linked single sign-on accounts.', () =>
      listIdentities(db, accountId),
    ),
  ],
});
