import { type Kysely, sql } from 'kysely';

/**
 * What services say about the addresses of blocks. Not part of the blocks, so that servers of the
 * previous version cannot lose it when they save a page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE covers (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    url text NOT NULL CHECK (length(url) <= 500),
    state text NOT NULL DEFAULT 'pending' CHECK (state IN
      ('pending', 'found', 'removed', 'not_found', 'unreachable', 'no_cover', 'picture_limit',
       'rate_limited')),
    title text CHECK (length(title) <= 200),
    picture_id text REFERENCES pictures ON DELETE SET NULL,
    PRIMARY KEY (account_id, url)
  )`.execute(db);
  await sql`CREATE INDEX covers_picture_id ON covers (picture_id)`.execute(db);
}
