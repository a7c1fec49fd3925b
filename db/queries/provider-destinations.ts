import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '#db/connections/handles.ts';

/** Call before adding the address at the provider. */
export async function recordProviderDestination(db: Executor, email: string): Promise<void> {
  await db
    .insertInto('provider_destinations')
    .values({ email: email.toLowerCase(), unused_since: null })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ unused_since: null }))
    .execute();
}

/** Call after removing the addresses at the provider. Skips addresses that were added again. */
export async function deleteProviderDestinations(
  db: Executor,
  emails: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('provider_destinations')
    .where('email', '=', sql<string>`ANY(${emails}::text[])`)
    .where('unused_since', 'is not', null)
    .execute();
}

/**
 * Updates when each address became unused. Returns the addresses that have been unused for
 * `minUnusedMs`.
 */
export async function refreshUnusedDestinations(
  db: Executor,
  minUnusedMs: number,
): Promise<string[]> {
  const isUsed = sql<boolean>`(EXISTS (
    SELECT FROM forwarding_settings WHERE lower(forwarding_email) = provider_destinations.email)
    OR provider_destinations.email IN (SELECT lower(email) FROM address_readers))`;
  await db
    .updateTable('provider_destinations')
    .set({ unused_since: sql<Date | null>`CASE WHEN unused_since IS NULL THEN now() END` })
    .where(sql<boolean>`(unused_since IS NULL) <> ${isUsed}`)
    .execute();
  const rows = await db
    .selectFrom('provider_destinations')
    .select('email')
    .where('unused_since', '<=', sql<Date>`now() - ${minUnusedMs} * interval '1 millisecond'`)
    .execute();
  return rows.map(({ email }) => email);
}

export async function findNamesForwardedTo(
  db: ReadDatabase,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('forwarding_settings')
    .innerJoin('display_names', 'display_names.account_id', 'forwarding_settings.account_id')
    .select('display_names.name')
    .where(sql<boolean>`lower(forwarding_email) = ANY(${emails}::text[])`)
    // One lookup per name: a join would read the whole view.
    .where(
      sql<boolean>`(SELECT destination FROM postfix_aliases WHERE name = display_names.name) IS NOT NULL`,
    )
    .union((query) =>
      query
        .selectFrom('addresses')
        .innerJoin('address_readers', 'address_readers.address_id', 'addresses.id')
        .select('addresses.name')
        .where(sql<boolean>`lower(email) = ANY(${emails}::text[])`),
    )
    .execute();
  return rows.map(({ name }) => name);
}
