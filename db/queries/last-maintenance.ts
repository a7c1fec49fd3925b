import { type Kysely, sql } from 'kysely';
import type { ReadDatabase } from '../connections/read-database.ts';
import type { Database } from '../schema.ts';

export async function saveLastMaintenance(
  db: Kysely<Database>,
  { seconds, failed }: { seconds: number; failed: number },
): Promise<void> {
  const row = { finished_at: sql<Date>`now()`, seconds, failed_tasks: failed };
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
