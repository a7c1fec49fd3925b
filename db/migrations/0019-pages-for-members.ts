import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sites ADD COLUMN for_members boolean NOT NULL DEFAULT false`.execute(db);
  await sql.raw(PUBLIC_FOR_0_2_0).execute(db);
}

/** Servers of 0.2.0 know only `enabled`. A page that they publish and hide again is hidden. */
const PUBLIC_FOR_0_2_0 = `
CREATE FUNCTION end_for_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.for_members := false;
  RETURN NEW;
END $$;
CREATE TRIGGER end_for_members BEFORE UPDATE ON sites FOR EACH ROW
WHEN (NEW.enabled AND NEW.for_members) EXECUTE FUNCTION end_for_members()`;
