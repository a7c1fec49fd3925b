import { type Kysely, sql } from 'kysely';

/**
 * Claims the keys of metrics of the last 24 hours. For millions of keys this takes seconds, so it is
 * separate from the migration before, which locks tables. The trigger of that one claims new keys.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`INSERT INTO metric_keys (account_id, key_hash, body_hash, created_at)
    SELECT account_id, encode(substr(sha256(convert_to(key, 'UTF8')), 1, 16), 'hex')::uuid,
      encode(substr(body_hash, 1, 16), 'hex')::uuid, created_at
    FROM idempotency_keys
    WHERE path = '/stats/ingest-metrics' AND created_at > now() - interval '24 hours'
    ON CONFLICT (account_id, key_hash) DO UPDATE
      SET body_hash = excluded.body_hash, created_at = excluded.created_at`.execute(db);
}
