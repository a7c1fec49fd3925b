import { mailJob } from '#server/platform/mail/mail-job.ts';
import { defineFeature } from '../define-feature.ts';
import { findWaitingMails } from './mail-finding.ts';
import { mailSettingsRoutes } from './mail-settings-routes.ts';

export const mails = defineFeature({
  name: 'mails',
  toDo: [findWaitingMails],
  routes: { operator: { server: mailSettingsRoutes } },
  jobs: [mailJob],
  expiring: ['owner_mails'],
  accountTables: { owner_mails: 'not exported: mails of the last hour' },
});
