import { type Kysely, sql } from 'kysely';

/** How long projects keep their metrics, and which metrics are to be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE projects
    ADD COLUMN metric_days integer NOT NULL DEFAULT 0 CHECK (metric_days BETWEEN 0 AND 3660),
    ADD COLUMN metric_revision bigint NOT NULL DEFAULT 0`.execute(db);
  await sql`CREATE TABLE metric_deletions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL
  )`.execute(db);
  await sql`CREATE INDEX metric_deletions_project_id ON metric_deletions (project_id)`.execute(db);
}
