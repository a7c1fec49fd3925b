import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

/** How long a choice counts. */
const DAY = sql`interval '1 day'`;

/**
 * Notes that an account chose an address for its mail; one that it chose within a day is no new one.
 * Returns how many it chose within a day, and in how many seconds the first of them no longer counts.
 */
export async function chooseDestination(
  trx: Transaction<Database>,
  accountId: string,
  email: string,
): Promise<{ chosen: number; seconds: number }> {
  await trx
    .insertInto('forwarding_destinations')
    .values({ account_id: accountId, address_hash: destinationHash(accountId, email) })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'address_hash'])
        .doUpdateSet({ added_at: sql<Date>`excluded.added_at` })
        .where('forwarding_destinations.added_at', '<=', sql<Date>`now() - ${DAY}`),
    )
    .execute();
  return trx
    .selectFrom('forwarding_destinations')
    .select(sql<number>`count(*)::int`.as('chosen'))
    .select(sql<number>`extract(epoch FROM min(added_at) + ${DAY} - now())::float8`.as('seconds'))
    .where('account_id', '=', accountId)
    .where('added_at', '>', sql<Date>`now() - ${DAY}`)
    .executeTakeFirstOrThrow();
}

/** Forgets addresses that count no more, unless they were confirmed or can still be. */
export async function deleteOldChoices(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('forwarding_destinations')
    .where(sql<boolean>`greatest(added_at, mail_count_since) <= now() - ${DAY}`)
    .where('confirmed_at', 'is', null)
    .where(sql<boolean>`coalesce(token_expires_at <= now(), true)`)
    .execute();
}

/** By what an address of an account is known. */
export function destinationHash(
  accountId: string | RawBuilder<unknown>,
  email: string | RawBuilder<unknown>,
) {
  return sql<Buffer>`sha256(convert_to(${accountId}::text || ' ' || ${email}::text, 'UTF8'))`;
}
