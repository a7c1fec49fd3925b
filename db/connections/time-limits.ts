import { sql } from 'kysely';
import type { TimeLimits } from './postgres.ts';
import type { ReadDatabase } from './handles.ts';

const SERVER_LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
] as const satisfies (keyof TimeLimits)[];

/** Returns the limits that are off, for example because a pooler dropped them. */
export async function findMissingLimits(db: ReadDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pg_settings WHERE name = ANY(${SERVER_LIMITS}) AND setting = '0'
    ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}
