import { defineFeature } from '../define-feature.ts';
import { findBackupState, findFailedBackup } from './backup-finding.ts';
import { backupIfMissing, backupJob } from './backup-job.ts';
import { backupMail } from './backup-mail.ts';
import { createBackups } from './backups.ts';
import { backupRoutes } from './owner-routes.ts';

export const backups = defineFeature({
  name: 'backups',
  optional: true,
  service: createBackups,
  toDo: [findFailedBackup],
  findings: [findBackupState],
  routes: { operator: { server: backupRoutes } },
  jobs: [backupJob],
  mails: [backupMail],
  onStart: backupIfMissing,
});
