import { sql } from 'kysely';
import type { StoredMessage } from '#contract/refusal.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { markAliasRemoved } from './display-names.ts';
import { queuedAliases, selectAliasJobs } from './jobs.ts';
import { findDestination } from './postfix-aliases.ts';
import { countRows, exists } from './rows.ts';

const unsynced = sql<boolean>`synced_revision < revision`;

/**
 * Marks the name's alias as changed, so that it is synced. Locks its row until the commit, so that
 * a sync waits for the new state. Returns false if the name never had mail forwarded.
 */
export async function bumpRevisionIfForwarded(trx: Transaction, name: string): Promise<boolean> {
  const bumped = await trx
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
  return bumped !== undefined;
}

/** Marks the name's alias as changed, even if the name never had mail forwarded. */
export async function bumpRevision(trx: Transaction, name: string): Promise<void> {
  await trx
    .insertInto('provider_aliases')
    .values({ name })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ revision: sql<number>`provider_aliases.revision + 1` }),
    )
    .execute();
}

/**
 * States of an alias:
 *
 * - synced (`synced_revision = revision`): the provider has `destination`. A change of the wanted
 *   destination bumps the revision in its own transaction.
 * - unsynced: a job waits. It reads the wanted destination when it runs.
 * - leased (`leased_until`): a server calls the provider, and others wait for it. The lease of a
 *   server that died expires.
 * - uncertain (`uncertain_until`): an earlier call ended without a response and may still take
 *   effect. Further calls do not wait, but even after one that succeeds, the provider is called again
 *   at the end of that time. Only then is the alias synced, and a former name free for others. A
 *   lease begins uncertain, in case its server dies.
 */
export interface LeasedAlias {
  status: 'leased';
  name: string;
  revision: number;
  /** Also identifies the lease. */
  leasedUntil: Date;
  /** Wanted destination; null for no alias. */
  destination: string | null;
  /** Of an earlier call; null if there is none. */
  uncertainUntil: Date | null;
}

export async function leaseAlias(
  trx: Transaction,
  name: string,
  timing: { leaseMs: number; uncertainMs: number },
): Promise<LeasedAlias | { status: 'synced' } | { status: 'busy'; until: Date }> {
  const row = await trx
    .selectFrom('provider_aliases')
    .select(['revision', 'leased_until', 'uncertain_until'])
    .select(unsynced.as('unsynced'))
    .select(sql<boolean>`coalesce(leased_until > clock_timestamp(), false)`.as('leased'))
    .select(sql<boolean>`coalesce(uncertain_until > clock_timestamp(), false)`.as('uncertain'))
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  if (!row?.unsynced) return { status: 'synced' };
  if (row.leased && row.leased_until) return { status: 'busy', until: row.leased_until };
  const { leased_until: leasedUntil } = await trx
    .updateTable('provider_aliases')
    .set({
      leased_until: millisecondsFromNow(timing.leaseMs),
      uncertain_until: millisecondsFromNow(timing.uncertainMs),
    })
    .where('name', '=', name)
    .returning('leased_until')
    .executeTakeFirstOrThrow();
  return {
    status: 'leased',
    name,
    revision: row.revision,
    leasedUntil: leasedUntil!,
    destination: (await findDestination(trx, name)) ?? null,
    uncertainUntil: row.uncertain ? row.uncertain_until : null,
  };
}

/** Code of the error of a name that waits for its owner, not for the provider. */
export const UNCONFIRMED = 'unconfirmed';

export async function hasFailingAlias(db: ReadDatabase): Promise<boolean> {
  return exists(
    db,
    sql`provider_aliases WHERE last_error IS NOT NULL AND last_error->>'code' <> ${UNCONFIRMED}`,
  );
}

export interface SyncResult {
  isSynced: boolean;
  /** Whether a call may still take effect later. */
  isUncertain: boolean;
  error: StoredMessage | null;
}

/** If the provider confirmed that the alias is gone, also records that in the display name. */
export async function endLease(
  trx: Transaction,
  leased: LeasedAlias,
  outcome: SyncResult,
): Promise<{ status: 'done' } | { status: 'unsynced'; callAgainAt: Date | null }> {
  const { name } = leased;
  // Same lock order as in requests, to prevent deadlocks.
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
  // The lease expired, and another server has leased the alias.
  if (!row) return { status: 'done' };
  const uncertainUntil = outcome.isUncertain ? row.uncertain_until : leased.uncertainUntil;
  const isCurrent = row.revision === leased.revision;
  const isSettled = outcome.isSynced && isCurrent && uncertainUntil === null;
  await trx
    .updateTable('provider_aliases')
    .set({
      leased_until: null,
      uncertain_until: uncertainUntil,
      last_error: outcome.error,
      ...(outcome.isSynced && { destination: leased.destination }),
      ...(isSettled && { synced_revision: leased.revision }),
    })
    .where('name', '=', name)
    .execute();
  if (isSettled && leased.destination === null) await markAliasRemoved(trx, name);
  if (isSettled) return { status: 'done' };
  return { status: 'unsynced', callAgainAt: isCurrent ? uncertainUntil : null };
}

/** Returns unsynced aliases without a queued job, and the end of their lease. */
export async function listUnqueuedAliases(
  db: ReadDatabase,
): Promise<{ name: string; notBefore: Date | null }[]> {
  return db
    .selectFrom('provider_aliases')
    .select(['name', 'leased_until as notBefore'])
    .where(unsynced)
    .where(sql<boolean>`name NOT IN (${queuedAliases})`)
    .orderBy('name')
    .execute();
}

export async function countUnsyncedAliases(db: ReadDatabase): Promise<number> {
  return countRows(db, sql`provider_aliases WHERE ${unsynced}`);
}

export interface ForwardingState {
  name: string;
  account_id: string | null;
  /** Desired destination. That of a group address is a list, separated by commas. */
  destination: string | null;
  /** Destination last confirmed by the provider. */
  provider_destination: string | null;
  is_synced: boolean;
  /** Failed attempts of the current job. */
  attempts: number;
  last_error: StoredMessage | null;
  next_try_at: Date | null;
  /** A call without a response may still take effect at the provider until this time. */
  uncertain_until: Date | null;
  /** Whether forwarding starts when the address is confirmed. */
  unconfirmed: boolean;
  released_at: Date | null;
  alias_removed_at: Date | null;
}

/** All names that have or had mail forwarded, or only `names`. */
export async function listForwarding(
  db: ReadDatabase,
  names?: readonly string[],
): Promise<ForwardingState[]> {
  const nameCondition = names ? sql`name = ANY (${names}::text[])` : sql`true`;
  const { rows } = await sql<ForwardingState>`
    SELECT name, named.account_id, aliases.destination AS provider_destination,
      (SELECT destination FROM postfix_aliases WHERE name = named.name) AS destination,
      coalesce(aliases.synced_revision = aliases.revision, false) AS is_synced,
      coalesce(jobs.attempts, 0) AS attempts, aliases.last_error, jobs.next_try_at,
      CASE WHEN aliases.uncertain_until > now() THEN aliases.uncertain_until END AS uncertain_until,
      coalesce(
        forwarding_settings.forwarding_enabled AND NOT forwarding_settings.forwarding_confirmed
          OR NOT forwarding_settings.forwarding_enabled AND pending.forwarding_enabled,
        false) AS unconfirmed,
      named.released_at, named.alias_removed_at
    FROM (SELECT * FROM display_names WHERE was_forwarded AND ${nameCondition}) AS named
    FULL JOIN (SELECT * FROM provider_aliases WHERE ${nameCondition}) AS aliases USING (name)
    LEFT JOIN (${selectAliasJobs(names)}) AS jobs USING (name)
    LEFT JOIN forwarding_settings ON forwarding_settings.account_id = named.account_id
    LEFT JOIN pending_emails AS pending
      ON pending.account_id = named.account_id AND pending.expires_at > now()
    WHERE named.name IS NOT NULL OR aliases.destination IS NOT NULL
      OR aliases.synced_revision < aliases.revision
    ORDER BY name`.execute(db);
  return rows;
}

function millisecondsFromNow(milliseconds: number) {
  // Whole milliseconds, so that a JavaScript Date keeps the exact value.
  return sql<Date>`date_trunc('milliseconds', clock_timestamp())
    + ${milliseconds} * interval '1 millisecond'`;
}
