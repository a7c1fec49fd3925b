import { type Kysely, sql } from 'kysely';

/** Stored answers lie in three parts, one for each day in turn, so that those of a day go at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `ALTER TABLE idempotency_keys RENAME TO old_idempotency_keys`,
  `ALTER TABLE old_idempotency_keys RENAME CONSTRAINT idempotency_keys_pkey TO old_pkey`,
  `CREATE TABLE idempotency_keys (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    method text NOT NULL,
    path text NOT NULL,
    key text NOT NULL,
    body_hash bytea NOT NULL CHECK (length(body_hash) = 32),
    status smallint CHECK (status BETWEEN 200 AND 499),
    answer json,
    created_at timestamptz NOT NULL DEFAULT now(),
    part smallint NOT NULL,
    PRIMARY KEY (account_id, method, path, key, part)
  ) PARTITION BY LIST (part)`,
  ...[0, 1, 2].map(
    (part) => `CREATE TABLE idempotency_keys_${part}
      PARTITION OF idempotency_keys FOR VALUES IN (${part})`,
  ),
  `INSERT INTO idempotency_keys
    SELECT *, floor(extract(epoch FROM created_at) / 86400) % 3
    FROM old_idempotency_keys WHERE created_at > now() - interval '24 hours'`,
  `DROP TABLE old_idempotency_keys`,
];
