import { type Kysely, sql } from 'kysely';
import type { TimeLimits } from './postgres.ts';
import type { Database } from '../schema.ts';

/** Limits that the server keeps. */
const KEPT_BY_SERVER = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
] as const satisfies (keyof TimeLimits)[];

/** Limits that a connection asked for and does not have, since a pooler left them out. */
export async function findMissingLimits(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pg_settings WHERE name = ANY(${KEPT_BY_SERVER}) AND setting = '0'
    ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}
