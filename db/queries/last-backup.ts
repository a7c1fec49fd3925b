import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';

export async function saveLastBackup(db: Executor): Promise<void> {
  const finishedAt = sql<Date>`now()`;
  await db
    .insertInto('last_backup')
    .values({ finished_at: finishedAt })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ finished_at: finishedAt }))
    .execute();
}

export async function findLastBackup(db: ReadDatabase): Promise<Date | null> {
  const row = await db
    .selectFrom('last_backup')
    .select('finished_at')
    .where('only_row', '=', true)
    .executeTakeFirst();
  return row?.finished_at ?? null;
}
