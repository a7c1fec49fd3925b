import { DAY_MS } from '#contract/shared/durations.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import type { Core } from '#server/core.ts';
import type { FindingReader, ToDoReader } from '../define-feature.ts';
import { explainBackupError } from './backup-error-text.ts';
import type { Backups } from './backups.ts';

/** Same threshold as the Prometheus alert NameplateBackupOld. */
const BACKUP_OLD_AFTER_MS = 2 * DAY_MS;

export const findFailedBackup: ToDoReader<{ backups: Backups | undefined }> = async (
  { backups },
  db,
  t,
) => {
  const { error } = await findLastBackup(db);
  if (error === null) return undefined;
  const explanation = explainBackupError(t, error, backups?.folder ?? '');
  const about = { title: t('Backup'), document: 'docs/backup.md' };
  return { code: 'backupFailed', level: 'warning', ...about, ...explanation };
};

/** Says nothing about a backup that failed. */
export const findBackupState: FindingReader<
  Pick<Core, 'config'> & { backups: Backups | undefined }
> = async ({ backups, config }, stored, t) => {
  const backupShortage = await backups?.findShortage();
  if (!stored || stored.lastBackup.error !== null) return undefined;
  const { finished_at: finishedAt } = stored.lastBackup;
  const about = { title: t('Backup'), document: 'docs/backup.md' };
  if (finishedAt === null && config.BACKUP_DIR === 'off') {
    const text =
      config.DATABASE_URL === undefined
        ? t('Nightly backups are off.')
        : t('Nightly backups are off. Use the tools of PostgreSQL.');
    return { code: 'backupOff', level: 'off', ...about, text };
  }
  if (finishedAt !== null && Date.now() - finishedAt.getTime() > BACKUP_OLD_AFTER_MS) {
    const text = t('The last backup is more than two days old.');
    return { code: 'backupOld', level: 'warning', ...about, text };
  }
  if (backupShortage !== undefined) {
    const text =
      backupShortage === 'metrics'
        ? t(
            'The last backup has no metrics: with them it was larger than a tenth of the free disk.',
          )
        : t('Fewer than seven backups fit into a tenth of the free disk, so fewer are kept.');
    const fix = 'BACKUP_DIR=/srv/backups';
    return { code: 'backupTooLarge', level: 'warning', ...about, text, fix };
  }
  const text =
    finishedAt === null
      ? t('The first backup is being made.')
      : t('Keep a copy on another machine.');
  return { code: 'backupSet', level: 'ok', title: about.title, text };
};
