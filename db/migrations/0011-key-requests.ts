import { type Kysely, sql } from 'kysely';

/** The latest requests with a key. A key may be deleted before its requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE key_requests (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    key_id text NOT NULL,
    operation text NOT NULL,
    status smallint NOT NULL,
    error_code text,
    error text,
    field text,
    duration_ms integer NOT NULL,
    x_request_id text NOT NULL CHECK (length(x_request_id) <= 128),
    left_out integer NOT NULL DEFAULT 0,
    user_agent text CHECK (length(user_agent) <= 100),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
  )`.execute(db);
  await sql`CREATE INDEX key_requests_account_id
    ON key_requests (account_id, created_at DESC, id)`.execute(db);
  await sql`CREATE INDEX key_requests_created_at ON key_requests (created_at)`.execute(db);
}
