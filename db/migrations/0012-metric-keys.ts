import { type Kysely, sql } from 'kysely';

/**
 * The idempotency keys of metrics: the first 16 bytes of the SHA-256 of the key and of the body. The
 * table has no foreign key, and metrics have none any more, because each metric locks its project.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE metric_keys (
    account_id uuid NOT NULL,
    key_hash uuid NOT NULL,
    body_hash uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, key_hash)
  )`.execute(db);
  await sql`CREATE INDEX metric_keys_created_at ON metric_keys (created_at)`.execute(db);
  await sql.raw(CLAIM_FOR_0_2_0).execute(db);
  // On Citus, it was dropped before.
  await sql`ALTER TABLE metrics DROP CONSTRAINT IF EXISTS metrics_project_id_fkey`.execute(db);
}

/**
 * Servers of 0.2.0 store keys of metrics in `idempotency_keys`, where their own repeats find them. A
 * key that only a newer server has claimed gets 503, and a retry may reach that server. Rows that a
 * restore copies are older.
 */
const CLAIM_FOR_0_2_0 = `
CREATE FUNCTION claim_metric_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_keys (account_id, key_hash, body_hash)
  VALUES (NEW.account_id,
    encode(substr(sha256(convert_to(NEW.key, 'UTF8')), 1, 16), 'hex')::uuid,
    encode(substr(NEW.body_hash, 1, 16), 'hex')::uuid)
  ON CONFLICT (account_id, key_hash) DO UPDATE
  SET (body_hash, created_at) = (EXCLUDED.body_hash, EXCLUDED.created_at)
  WHERE metric_keys.created_at < EXCLUDED.created_at - interval '24 hours';
  IF NOT FOUND AND NOT EXISTS (
    SELECT FROM idempotency_keys WHERE account_id = NEW.account_id
      AND method = NEW.method AND path = NEW.path AND key = NEW.key
      AND created_at > now() - interval '24 hours'
  ) THEN
    RAISE lock_not_available USING MESSAGE = 'a newer server has claimed the key';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER claim_metric_key BEFORE INSERT ON idempotency_keys FOR EACH ROW
WHEN (NEW.path = '/stats/ingest-metrics' AND NEW.created_at = now())
EXECUTE FUNCTION claim_metric_key()`;
