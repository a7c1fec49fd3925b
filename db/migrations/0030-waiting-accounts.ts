import { type Kysely, sql } from 'kysely';

/**
 * An application has the id of its account, which is suspended while it waits. A declined application
 * has no address. `decided_by`: the display name of the operator.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE applications DROP CONSTRAINT applications_check1,
    ADD COLUMN decided_by text CHECK (length(decided_by) <= 63)`.execute(db);
  for (const statement of WAITING_ACCOUNTS) await sql.raw(statement).execute(db);
  await sql`UPDATE applications SET state = state WHERE state = 'waiting'`.execute(db);
  await sql`UPDATE audit_log SET action = CASE action
      WHEN 'applications.approveApplications' THEN 'members.approveMembers'
      ELSE 'members.declineMembers' END
    WHERE action IN ('applications.approveApplications', 'applications.declineApplications')`.execute(
    db,
  );
  // Last, because writes to accounts wait for it.
  for (const statement of END_APPLICATION) await sql.raw(statement).execute(db);
}

/**
 * The account of an application that is declined, withdrawn or expires is deleted with it. Servers of
 * 0.3.1 hold the name of an application without an account, so it gets one here, and they can delete
 * the account of an application. 0.5.0 drops `display_names.held` and the trigger `end_application`.
 */
const WAITING_ACCOUNTS = [
  `CREATE FUNCTION keep_waiting_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.state = 'waiting' THEN
    INSERT INTO accounts (id, created_at, suspended_at)
    VALUES (NEW.id, NEW.created_at, NEW.created_at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      INSERT INTO forwarding_settings (account_id) VALUES (NEW.id);
      UPDATE display_names SET account_id = NEW.id, held = false, is_address = false,
        was_forwarded = false, was_visible = false, last_account_id = NULL, released_at = NULL,
        alias_removed_at = NULL, redirects = false
      WHERE name = NEW.display_name AND held;
    END IF;
  ELSIF OLD.state = 'waiting' AND (TG_OP = 'DELETE' OR NEW.state = 'declined') THEN
    DELETE FROM display_names WHERE account_id = OLD.id;
    DELETE FROM accounts WHERE id = OLD.id;
  END IF;
  RETURN NULL;
END $$`,
  `CREATE TRIGGER keep_waiting_account AFTER INSERT OR UPDATE OR DELETE ON applications
FOR EACH ROW EXECUTE FUNCTION keep_waiting_account()`,
];

const END_APPLICATION = [
  `CREATE FUNCTION end_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM applications WHERE id = OLD.id AND state = 'waiting';
  RETURN NULL;
END $$`,
  `CREATE TRIGGER end_application AFTER DELETE ON accounts
FOR EACH ROW EXECUTE FUNCTION end_application()`,
];
