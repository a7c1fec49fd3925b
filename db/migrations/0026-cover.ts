import { type Kysely, sql } from 'kysely';

/** `cover_focus`: the point that stays in view, in percent from the left and the top, such as `50% 40%`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE instance
    ADD COLUMN cover_id text,
    ADD COLUMN cover bytea,
    ADD COLUMN cover_description text CHECK (length(cover_description) BETWEEN 1 AND 300),
    ADD COLUMN cover_focus text CHECK (cover_focus ~ '^[0-9]{1,3}% [0-9]{1,3}%$'),
    ADD CHECK ((cover IS NULL) = (cover_id IS NULL))`.execute(db);
}
