import { type Kysely, sql } from 'kysely';

/** The members of a group read the address, too. `by_hand`: an operator entered the reader. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE addresses ADD COLUMN group_id uuid REFERENCES groups ON DELETE SET NULL`.execute(
    db,
  );
  await sql`CREATE INDEX addresses_group_id ON addresses (group_id)`.execute(db);
  await sql`ALTER TABLE address_recipients
    ADD COLUMN by_hand boolean NOT NULL DEFAULT true`.execute(db);
}
