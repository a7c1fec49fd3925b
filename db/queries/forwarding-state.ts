import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** Names that the provider has not agreed about, and when they may be tried. */
export async function listUnsettled(
  db: Kysely<Database>,
): Promise<{ name: string; notBefore: Date | null }[]> {
  return db
    .selectFrom('forwarding_names')
    .select('name')
    .select(sql<Date | null>`greatest(next_try_at, leased_until)`.as('notBefore'))
    .where(sql<boolean>`settled_revision < revision`)
    .orderBy('name')
    .execute();
}

/** Notes that no alias is left of any name that nobody has. */
export async function confirmAliasesGone(db: Kysely<Database>): Promise<void> {
  await db
    .updateTable('display_names')
    .set({ alias_gone_at: sql<Date>`now()` })
    .where('account_id', 'is', null)
    .where('alias_gone_at', 'is', null)
    .execute();
}

/** What is wanted and known about a name that has or had mail. */
export interface ForwardingState {
  name: string;
  account_id: string | null;
  wanted: string | null;
  known: string | null;
  settled: boolean;
  attempts: number;
  last_error: string | null;
  next_try_at: Date | null;
  /** When its last owner left it. */
  released_at: Date | null;
  /** When the provider confirmed that no alias is left of it. */
  alias_gone_at: Date | null;
}

/** Every name that has or had mail forwarded, in order. */
export async function listForwarding(db: Kysely<Database>): Promise<ForwardingState[]> {
  const { rows } = await sql<ForwardingState>`
    SELECT name, named.account_id, wanted.destination AS wanted, known.destination AS known,
      coalesce(known.settled_revision = known.revision, false) AS settled,
      coalesce(known.attempts, 0) AS attempts, known.last_error, known.next_try_at,
      named.released_at, named.alias_gone_at
    FROM (SELECT * FROM display_names WHERE forwarded) AS named
    FULL JOIN forwarding_names AS known USING (name)
    LEFT JOIN postfix_aliases AS wanted USING (name)
    WHERE named.name IS NOT NULL OR known.destination IS NOT NULL
      OR known.settled_revision < known.revision
    ORDER BY name`.execute(db);
  return rows;
}
