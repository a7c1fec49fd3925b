import { type Kysely, sql } from 'kysely';

/** Indexes for what would else be found by reading a table that grows with the accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE INDEX accounts_created_at ON accounts (created_at, id)`,
  `CREATE INDEX account_days_day ON account_days (day)`,
  `CREATE INDEX page_views_day ON page_views (day)`,
  `CREATE INDEX profiles_unconfirmed ON profiles (account_id)
    WHERE forwarding_enabled AND NOT forwarding_confirmed`,
  `CREATE INDEX forwarding_destinations_due ON forwarding_destinations (mails_since)
    WHERE due IS NOT NULL`,
  `CREATE INDEX forwarding_destinations_counted
    ON forwarding_destinations ((greatest(chosen_at, mails_since)))
    WHERE confirmed_at IS NULL AND due IS NULL`,
  `CREATE INDEX notices_due ON notices (created_at) WHERE address IS NOT NULL`,
  `CREATE INDEX projects_closed_at ON projects (closed_at) WHERE closed_at IS NOT NULL`,
  `CREATE INDEX projects_metric_days ON projects (id) WHERE metric_days > 0`,
  `CREATE INDEX provider_destinations_unwanted_since ON provider_destinations (unwanted_since)`,
  `CREATE INDEX sessions_created_at ON sessions (created_at)`,
  `CREATE INDEX sites_suspended_at ON sites (suspended_at) WHERE suspended_at IS NOT NULL`,
];
