import { backupJob } from './backup-job.ts';
import { backupMail } from './backup-mail.ts';
import { backupRoutes } from './owner-routes.ts';
import { defineFeature } from '../define-feature.ts';

export const backups = defineFeature({
  routes: { operator: { server: backupRoutes } },
  jobs: [backupJob],
  mails: [backupMail],
});
