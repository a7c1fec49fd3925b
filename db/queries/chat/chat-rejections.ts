import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

/** Counts within the time window, including the current request. */
interface RejectionCounts {
  platformCount: number;
  accountCount: number;
}

export async function recordChatRejection(
  db: Kysely<Database>,
  rejection: { platform: string; accountId: string; windowMinutes: number },
): Promise<RejectionCounts> {
  const { rows } = await sql<RejectionCounts>`
    WITH added AS (
      INSERT INTO chat_rejections (platform, account_id)
      VALUES (${rejection.platform}, ${rejection.accountId}::uuid)
    )
    SELECT count(*)::int + 1 AS "platformCount",
      count(*) FILTER (WHERE account_id = ${rejection.accountId}::uuid)::int + 1 AS "accountCount"
    FROM chat_rejections
    WHERE platform = ${rejection.platform}
      AND created_at > now() - ${rejection.windowMinutes} * interval '1 minute'`.execute(db);
  return rows[0] ?? { platformCount: 1, accountCount: 1 };
}

export async function deleteOldChatRejections(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('chat_rejections')
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
}
