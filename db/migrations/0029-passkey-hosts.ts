import { type Kysely, sql } from 'kysely';

/**
 * `host`: the only host at which browsers offer the passkey (the id of the WebAuthn relying party).
 * Null for a passkey from before this migration, until its next login.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE passkeys ADD COLUMN host text CHECK (length(host) <= 253)`.execute(db);
}
