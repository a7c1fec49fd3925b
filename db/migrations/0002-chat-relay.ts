import { type Kysely, sql } from 'kysely';

/** What the servers tell each other about the chat platform: when not to call, and what it refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE chat_stops (
    subject text PRIMARY KEY CHECK (subject ~ '^(?:webhook:[0-9a-f]{64}|account:.+|platform:.+)$'),
    reason text NOT NULL CHECK (reason IN ('budget', 'limited', 'dead', 'blocked', 'refusals')),
    until timestamptz NOT NULL
  )`,
  `CREATE INDEX chat_stops_until ON chat_stops (until)`,
  // Without a foreign key: what the platform counted stays counted when the account is deleted.
  `CREATE TABLE chat_refusals (
    platform text NOT NULL,
    account_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX chat_refusals_platform ON chat_refusals (platform, created_at, account_id)`,
];
