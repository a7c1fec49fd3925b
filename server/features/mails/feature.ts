import { mailJob } from './mail-job.ts';
import { defineFeature } from '../define-feature.ts';

export const mails = defineFeature({
  jobs: [mailJob],
  expiring: ['owner_mails'],
  accountTables: { owner_mails: 'not exported: mails of the last hour' },
});
