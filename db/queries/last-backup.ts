import { sql } from 'kysely';
import type { BackupError } from '#contract/shared/backup-errors.ts';
import { utcDay } from '#contract/shared/durations.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';

export interface LastBackup {
  finished_at: Date | null;
  /** Null unless a later backup failed. */
  failed_at: Date | null;
  error: BackupError | null;
}

export async function saveLastBackup(db: Executor): Promise<void> {
  await sql`
    INSERT INTO last_backup (finished_at) VALUES (now())
    ON CONFLICT (only_row) DO UPDATE SET finished_at = now(), failed_at = NULL, error = NULL`.execute(
    db,
  );
}

/** Resolves to whether it is the first failure of the day (UTC) since the last success. */
export async function saveFailedBackup(trx: Transaction, error: BackupError): Promise<boolean> {
  const earlier = await findLastBackup(trx);
  await sql`
    INSERT INTO last_backup (failed_at, error) VALUES (now(), ${error})
    ON CONFLICT (only_row) DO UPDATE SET failed_at = now(), error = ${error}`.execute(trx);
  return earlier.failed_at === null || utcDay(earlier.failed_at.getTime()) < utcDay();
}

export async function findLastBackup(db: ReadDatabase): Promise<LastBackup> {
  const row = await db
    .selectFrom('last_backup')
    .select(['finished_at', 'failed_at', 'error'])
    .executeTakeFirst();
  return row ?? { finished_at: null, failed_at: null, error: null };
}
