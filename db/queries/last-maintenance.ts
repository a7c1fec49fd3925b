import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';

export async function saveLastMaintenance(
  db: Executor,
  last: { seconds: number; failed: number; clockJumpedAt: Date | undefined },
): Promise<void> {
  const row = {
    finished_at: sql<Date>`now()`,
    seconds: last.seconds,
    failed_tasks: last.failed,
    clock_jumped_at: last.clockJumpedAt ?? null,
  };
  await db
    .insertInto('last_maintenance')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute();
}

export async function findLastMaintenance(
  db: ReadDatabase,
): Promise<{ finished_at: Date; seconds: number; failed_tasks: number } | undefined> {
  return db
    .selectFrom('last_maintenance')
    .select(['finished_at', 'seconds', 'failed_tasks'])
    .where('only_row', '=', true)
    .executeTakeFirst();
}
