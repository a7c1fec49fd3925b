import { backupJob } from './backup-job.ts';
import { backupMail } from './backup-mail.ts';
import { defineFeature } from '../define-feature.ts';

export const backups = defineFeature({
  jobs: [backupJob],
  mails: [backupMail],
});
