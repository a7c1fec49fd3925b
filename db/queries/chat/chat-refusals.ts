import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

/** Counts a refusal of the platform; returns those of the last minutes, this one among them. */
export async function countChatRefusal(
  db: Kysely<Database>,
  refusal: { platform: string; accountId: string; minutes: number },
): Promise<{ ofPlatform: number; ofAccount: number }> {
  const { rows } = await sql<{ ofPlatform: number; ofAccount: number }>`
    WITH added AS (
      INSERT INTO chat_refusals (platform, account_id)
      VALUES (${refusal.platform}, ${refusal.accountId}::uuid)
    )
    SELECT count(*)::int + 1 AS "ofPlatform",
      count(*) FILTER (WHERE account_id = ${refusal.accountId}::uuid)::int + 1 AS "ofAccount"
    FROM chat_refusals
    WHERE platform = ${refusal.platform}
      AND created_at > now() - ${refusal.minutes} * interval '1 minute'`.execute(db);
  return rows[0] ?? { ofPlatform: 1, ofAccount: 1 };
}

/** Deletes refusals that no longer count. */
export async function deleteOldChatRefusals(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('chat_refusals')
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
}
