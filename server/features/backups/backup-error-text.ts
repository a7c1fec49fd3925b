import type { BackupError } from '#contract/shared/backup-errors.ts';
import type { Translator } from '#translations/translator.ts';

export function backupErrorText(t: Translator, error: BackupError): string {
  switch (error) {
    case 'space':
      return t(
        'The disk has too little space: backups may use a tenth of what is free. Free some space, or set BACKUP_DIR to a folder on another disk.',
      );
    case 'folder':
      return t(
        'The server cannot write to the backup folder. It must be a folder, not a file, that the server can write to (docs/backup.md has the command); or set BACKUP_DIR to another one.',
      );
    case 'other':
      return t('The log of the server has the cause.');
  }
}
