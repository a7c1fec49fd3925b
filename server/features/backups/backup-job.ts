import type { BackupError } from '#contract/shared/backup-errors.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findClockJump } from '#db/queries/clock.ts';
import { findLastBackup, saveFailedBackup, saveLastBackup } from '#db/queries/last-backup.ts';
import type { Core } from '#server/core.ts';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { mailOperators } from '#server/platform/mail/mail-operators.ts';
import { logServerEvent } from '../events/log-event.ts';
import { backupMail } from './backup-mail.ts';
import { backupErrorOf, type Backups } from './backups.ts';

/** 3:00 UTC. */
export const BACKUP_HOUR = 3;

type BackupServices = Pick<Core, 'allowances' | 'db' | 'jobs' | 'outbox'> & {
  backups: Backups | undefined;
};

export const backupJob = defineJob({
  kind: 'backup',
  whenOff: 'drop',
  schema: NO_DATA,
  cron: `0 ${BACKUP_HOUR} * * *`,
  pollSeconds: 2,
  expireSeconds: 21_600,
  // If the server is killed during a backup, another attempt starts 10 to 22 minutes later.
  heartbeatSeconds: 60,
  retrySeconds: 600,
  maxRetrySeconds: 3_600,
  giveUpSeconds: 72_000,
  isNeeded: ({ backups }: BackupServices) => backups !== undefined,
  run: async (app: BackupServices, _data, { signal }) => {
    const { backups } = app;
    try {
      const clockJumpedAt = await findClockJump(app.db);
      await backups!.create(signal, { keepOld: clockJumpedAt !== undefined });
    } catch (error) {
      if (!signal.aborted)
        await reportFailure(app, { error: backupErrorOf(error), folder: backups!.folder });
      throw error;
    }
    await saveLastBackup(app.db);
  },
});

/** Queues a backup at the start if the folder has none, or if the last attempt failed. */
export async function backupIfMissing({
  backups,
  db,
  jobs,
}: Pick<Core, 'db' | 'jobs'> & { backups: Backups | undefined }): Promise<void> {
  if (!backups) return;
  const { error } = await findLastBackup(db);
  if (error === null && (await backups.list()).length > 0) return;
  await inTransaction(db, (trx) => jobs.add(trx, backupJob, {}, { key: 'now', priority: 1 }));
}

async function reportFailure(
  app: Pick<Core, 'allowances' | 'db' | 'jobs' | 'outbox'>,
  failure: { error: BackupError; folder: string },
): Promise<void> {
  await inTransaction(app.db, async (trx) => {
    if (!(await saveFailedBackup(trx, failure.error))) return;
    await mailOperators(trx, app.outbox, backupMail, failure);
    await logServerEvent(trx, app, 'backup_failed', { error: failure.error });
  });
}
