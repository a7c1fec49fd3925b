import { sql } from 'kysely';
import type { Executor } from '../connections/handles.ts';
import type { Schema } from '../schema.ts';

/** Returns false, without counting, if the purpose has reached its `limit` for this hour. */
export async function recordUnconfirmedMail(
  db: Executor,
  purpose: Schema['unconfirmed_mails']['purpose'],
  limit: number,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO unconfirmed_mails AS stored (purpose, hour, count)
    VALUES (${purpose}, date_trunc('hour', now(), 'UTC'), 1)
    ON CONFLICT (purpose) DO UPDATE SET hour = excluded.hour,
      count = CASE WHEN stored.hour = excluded.hour THEN stored.count + 1 ELSE 1 END
    WHERE stored.hour <> excluded.hour OR stored.count < ${limit}::integer
    RETURNING count`.execute(db);
  return rows.length > 0;
}
