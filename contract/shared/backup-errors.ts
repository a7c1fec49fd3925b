/**
 * `space`: more than a tenth of the free disk, or no space left. `file`: a file has the name of the
 * folder. `missing`: the server may not create the folder. `denied`: it may not write there.
 * `readonly`: a read-only disk, also by the unit of systemd or in a container.
 */
export const BACKUP_ERRORS = ['space', 'file', 'missing', 'denied', 'readonly', 'other'] as const;
export type BackupError = (typeof BACKUP_ERRORS)[number];
