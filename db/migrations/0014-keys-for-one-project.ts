import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE api_keys
    ADD COLUMN project_id uuid REFERENCES projects ON DELETE CASCADE,
    ADD CONSTRAINT api_keys_project_id_check CHECK (project_id IS NULL OR scope = 'metrics')`.execute(
    db,
  );
  await sql`CREATE INDEX api_keys_project_id ON api_keys (project_id)`.execute(db);
}
