/** `space`: more than a tenth of the free disk, or no space left. `folder`: it cannot be written. */
export const BACKUP_ERRORS = ['space', 'folder', 'other'] as const;
export type BackupError = (typeof BACKUP_ERRORS)[number];
