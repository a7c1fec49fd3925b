import { sql } from 'kysely';
import type { Executor } from '#db/connections/handles.ts';

/** 0 means unlimited. */
export interface SendLimits {
  perSecond: number;
  perMinute: number;
}

const UNLIMITED = 2_147_483_647;

/** If a limit is reached, counts nothing and returns the seconds to wait. */
export async function recordChatSend(
  db: Executor,
  accountId: string,
  { perSecond, perMinute }: SendLimits,
): Promise<number | undefined> {
  const limits = { second: perSecond || UNLIMITED, minute: perMinute || UNLIMITED };
  const { rows: counted } = await sql`
    INSERT INTO chat_send_counts AS sent (account_id, second, in_second, minute, in_minute)
    VALUES (${accountId}, date_trunc('second', clock_timestamp()), 1,
      date_trunc('minute', clock_timestamp()), 1)
    ON CONFLICT (account_id) DO UPDATE SET
      second = greatest(sent.second, excluded.second),
      in_second = CASE WHEN sent.second < excluded.second THEN 1 ELSE sent.in_second + 1 END,
      minute = greatest(sent.minute, excluded.minute),
      in_minute = CASE WHEN sent.minute < excluded.minute THEN 1 ELSE sent.in_minute + 1 END
    WHERE (sent.second < excluded.second OR sent.in_second < ${limits.second})
      AND (sent.minute < excluded.minute OR sent.in_minute < ${limits.minute})
    RETURNING true`.execute(db);
  if (counted.length > 0) return undefined;
  const { rows } = await sql<{ seconds: number }>`
    SELECT greatest(0, extract(epoch FROM
      CASE WHEN in_minute < ${limits.minute} THEN second + interval '1 second'
        ELSE minute + interval '1 minute' END - clock_timestamp()))::float8 AS seconds
    FROM chat_send_counts WHERE account_id = ${accountId}`.execute(db);
  return rows[0]?.seconds ?? 0;
}
