import type { Reads } from '#db/connections/databases.ts';
import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import { markAliasRemoved } from '../display-names.ts';
import { findDestination } from './postfix-aliases.ts';

const unsettled = sql<boolean>`synced_revision < revision`;

/**
 * Notes that something changed about a name that ever had mail forwarded, and keeps its row locked
 * until the caller commits, so that whoever looks up the truth waits for it. False if the name
 * never had mail.
 */
export async function bumpRevisionIfForwarded(
  trx: Transaction<Database>,
  name: string,
): Promise<boolean> {
  const marked = await trx
    .insertInto('provider_aliases')
    .columns(['name'])
    .expression(
      trx
        .selectFrom('display_names')
        .select('name')
        .where('name', '=', name)
        .where('was_forwarded', '=', true),
    )
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ revision: sql<number>`provider_aliases.revision + 1` }),
    )
    .returning('name')
    .executeTakeFirst();
  return marked !== undefined;
}

/** As `markChanged`, also for a name that never had mail forwarded by us. */
export async function bumpRevision(trx: Transaction<Database>, name: string): Promise<void> {
  await trx
    .insertInto('provider_aliases')
    .values({ name })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ revision: sql<number>`provider_aliases.revision + 1` }),
    )
    .execute();
}

/** A name that one server reconciles. */
export interface LeasedAlias {
  name: string;
  revision: number;
  /** No other server calls the provider about the name until then; it also identifies the lease. */
  leasedUntil: Date;
  /** Where mail to the name should go; null for nowhere. */
  destination: string | null;
  /** Until when an earlier call may still take effect; null if none can. */
  uncertainUntil: Date | null;
}

/**
 * Leases a name for `leaseMs` and reads its current destination. Returns `settled` if the provider
 * already agrees, or the end of the lease if another server holds it.
 */
export async function leaseAlias(
  trx: Transaction<Database>,
  name: string,
  timing: { leaseMs: number; uncertainMs: number },
): Promise<LeasedAlias | 'synced' | Date> {
  const row = await trx
    .selectFrom('provider_aliases')
    .select(['revision', 'leased_until', 'uncertain_until'])
    .select(unsettled.as('unsettled'))
    .select(sql<boolean>`coalesce(leased_until > clock_timestamp(), false)`.as('leased'))
    .select(sql<boolean>`coalesce(uncertain_until > clock_timestamp(), false)`.as('uncertain'))
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  if (!row?.unsettled) return 'synced';
  if (row.leased && row.leased_until) return row.leased_until;
  const { leased_until: leasedUntil } = await trx
    .updateTable('provider_aliases')
    .set({
      leased_until: inMilliseconds(timing.leaseMs),
      uncertain_until: inMilliseconds(timing.uncertainMs),
    })
    .where('name', '=', name)
    .returning('leased_until')
    .executeTakeFirstOrThrow();
  return {
    name,
    revision: row.revision,
    leasedUntil: leasedUntil!,
    destination: (await findDestination(trx, name)) ?? null,
    uncertainUntil: row.uncertain ? row.uncertain_until : null,
  };
}

/** How a run ended. */
export interface SyncResult {
  /** Whether the provider agreed. */
  isSynced: boolean;
  /** Whether a call of this run may still take effect. */
  isUncertain: boolean;
  error: string | null;
}

/** How a lease ended; if the provider has to be called again, until when an earlier call may still take effect. */
type LeaseResult = 'done' | 'changed' | { uncertainUntil: Date | null };

/**
 * Ends a lease and stores the outcome. If the provider has certainly removed the alias, the display
 * name is marked as free of it. `changed` means that the destination changed during the lease.
 */
export async function endLease(
  trx: Transaction<Database>,
  leased: LeasedAlias,
  outcome: SyncResult,
): Promise<LeaseResult> {
  const { name } = leased;
  // In this order, which is that of a request, or the two could wait for each other.
  await trx
    .selectFrom('display_names')
    .select('name')
    .where('name', '=', name)
    .forUpdate()
    .execute();
  const row = await trx
    .selectFrom('provider_aliases')
    .select(['revision', 'uncertain_until'])
    .where('name', '=', name)
    .where('leased_until', '=', leased.leasedUntil)
    .forUpdate()
    .executeTakeFirst();
  // The lease had expired, and another server has it.
  if (!row) return 'done';
  const uncertainUntil = outcome.isUncertain ? row.uncertain_until : leased.uncertainUntil;
  const isCurrent = row.revision === leased.revision;
  const settled = outcome.isSynced && isCurrent && uncertainUntil === null;
  await trx
    .updateTable('provider_aliases')
    .set({
      leased_until: null,
      uncertain_until: uncertainUntil,
      last_error: outcome.error,
      ...(outcome.isSynced && { destination: leased.destination }),
      ...(settled && { synced_revision: leased.revision }),
    })
    .where('name', '=', name)
    .execute();
  if (settled && leased.destination === null) await markAliasRemoved(trx, name);
  if (settled) return 'done';
  return isCurrent ? { uncertainUntil } : 'changed';
}

/** Names that the provider has not agreed about and that no job waits for, and when they may be tried. */
export async function listUnqueuedAliases(
  db: Kysely<Database>,
): Promise<{ name: string; notBefore: Date | null }[]> {
  return db
    .selectFrom('provider_aliases')
    .select(['name', 'leased_until as notBefore'])
    .where(unsettled)
    .where(
      sql<boolean>`name NOT IN (
        SELECT singleton_key FROM pgboss.job
        WHERE job.name = 'forwarding' AND state < 'active' AND singleton_key IS NOT NULL)`,
    )
    .orderBy('name')
    .execute();
}

/** How many names the provider has not agreed about. */
export async function countUnsyncedAliases(db: Reads): Promise<number> {
  const { count } = await db
    .selectFrom('provider_aliases')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where(unsettled)
    .executeTakeFirstOrThrow();
  return count;
}

/** State of a name that has or had mail. */
export interface ForwardingState {
  name: string;
  account_id: string | null;
  wanted: string | null;
  known: string | null;
  settled: boolean;
  /** Failures since a job was added for the name. */
  attempts: number;
  last_error: string | null;
  next_try_at: Date | null;
  /** Until when a call without an answer may still take effect at the provider. */
  uncertain_until: Date | null;
  /** Whether the owner of the address that the account wants has not confirmed it yet. */
  unconfirmed: boolean;
  /** When its last owner left it. */
  released_at: Date | null;
  /** When the provider confirmed that no alias is left of it. */
  alias_removed_at: Date | null;
}

/** Every name that has or had mail forwarded, in order, or one of them. */
export async function listForwarding(db: Reads, name?: string): Promise<ForwardingState[]> {
  const only = name === undefined ? sql`true` : sql`name = ${name}`;
  const onlyItsJob = name === undefined ? sql`true` : sql`singleton_key = ${name}`;
  const { rows } = await sql<ForwardingState>`
    SELECT name, named.account_id, known.destination AS known,
      (SELECT destination FROM postfix_aliases WHERE name = named.name) AS wanted,
      coalesce(known.synced_revision = known.revision, false) AS settled,
      coalesce(jobs.attempts, 0) AS attempts, known.last_error, jobs.next_try_at,
      CASE WHEN known.uncertain_until > now() THEN known.uncertain_until END AS uncertain_until,
      coalesce(forwarding_settings.forwarding_enabled AND NOT forwarding_settings.forwarding_confirmed, false)
        AS unconfirmed,
      named.released_at, named.alias_removed_at
    FROM (SELECT * FROM display_names WHERE was_forwarded AND ${only}) AS named
    FULL JOIN (SELECT * FROM provider_aliases WHERE ${only}) AS known USING (name)
    LEFT JOIN (
      SELECT singleton_key AS name,
        max(CASE state WHEN 'retry' THEN retry_count + 1 WHEN 'active' THEN retry_count END)
          AS attempts,
        min(start_after) FILTER (WHERE state < 'active' AND start_after > now()) AS next_try_at
      FROM pgboss.job WHERE job.name = 'forwarding' AND state <= 'active' AND ${onlyItsJob}
      GROUP BY singleton_key) AS jobs USING (name)
    LEFT JOIN forwarding_settings ON forwarding_settings.account_id = named.account_id
    WHERE named.name IS NOT NULL OR known.destination IS NOT NULL
      OR known.synced_revision < known.revision
    ORDER BY name`.execute(db);
  return rows;
}

function inMilliseconds(milliseconds: number) {
  // In whole milliseconds, as JavaScript has them.
  return sql<Date>`date_trunc('milliseconds', clock_timestamp())
    + ${milliseconds} * interval '1 millisecond'`;
}
