import { backupJob } from './backup-job.ts';
import { backupMail } from './backup-mail.ts';
import { backupRoutes } from './owner-routes.ts';
import { createBackups } from './backups.ts';
import { findBackupState, findFailedBackup } from './backup-finding.ts';
import { defineFeature } from '../define-feature.ts';

export const backups = defineFeature({
  name: 'backups',
  service: createBackups,
  toDo: [findFailedBackup],
  findings: [findBackupState],
  routes: { operator: { server: backupRoutes } },
  jobs: [backupJob],
  mails: [backupMail],
});
