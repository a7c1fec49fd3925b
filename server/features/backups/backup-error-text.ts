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
        'The server cannot write to the folder of BACKUP_DIR. Make it writable for the server (docs/backup.md has the command), set BACKUP_DIR to another folder, or remove the setting to use the usual one.',
      );
    case 'other':
      return t('The log of the server has the cause.');
  }
}
