import { type Kysely, sql } from 'kysely';

/** `messages.groups` keeps the names that the groups had when the message was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE messages ADD COLUMN groups jsonb,
    DROP CONSTRAINT messages_audience_check,
    ADD CONSTRAINT messages_audience_check
      CHECK (audience IN ('all', 'no_page', 'unseen', 'self', 'address', 'groups')),
    ADD CONSTRAINT messages_groups_check CHECK ((groups IS NOT NULL) = (audience = 'groups'))`.execute(
    db,
  );
}
