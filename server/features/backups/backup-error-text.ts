import type { BackupError } from '#contract/shared/backup-errors.ts';
import { quotePath } from '#server/platform/settings/format-command.ts';
import type { Translator } from '#translations/translator.ts';

/** `fix` has lines for a shell, or for the settings. */
export function explainBackupError(
  t: Translator,
  error: BackupError,
  folder: string,
): { text: string; fix: string | undefined } {
  const path = quotePath(folder);
  const create = `mkdir -p ${path}\nchown ${process.getuid?.()} ${path}\nchmod 700 ${path}`;
  const [text, fix] = {
    space: [
      t(
        'The disk of {folder} has too little space: backups may use a tenth of what is free. Free some space, or name a folder on another disk in .env.',
        { folder },
      ),
      'BACKUP_DIR=/srv/backups',
    ],
    file: [
      t('A file is in the way: {folder} must be a folder.', { folder }),
      `# ${t('as root')}\nmv ${path} ${path}.old\n${create}`,
    ],
    missing: [
      t('The folder {folder} does not exist, and the server cannot create it.', { folder }),
      `# ${t('as root')}\n${create}`,
    ],
    denied: [
      t('The server has no right to write to the folder {folder}.', { folder }),
      `# ${t('as root')}\n${create}`,
    ],
    readonly: [
      t(
        'The server can only read {folder}: its disk, systemd or the container protects it. Without BACKUP_DIR in .env, backups are stored in the data folder.',
        { folder },
      ),
      'BACKUP_DIR=',
    ],
    other: [t('The log of the server has the cause.')],
  }[error] as [string, string?];
  return { text, fix };
}
