import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '#db/connections/handles.ts';

const DAY = sql`interval '1 day'`;

/**
 * Records the address, unless the account already used it in the last 24 hours. Returns the number of
 * addresses that the account used in that time, and the seconds until the oldest of them expires.
 */
export async function recordDestination(
  trx: Transaction,
  accountId: string,
  email: string,
): Promise<{ count: number; retryAfterSeconds: number }> {
  await trx
    .insertInto('forwarding_destinations')
    .values({ account_id: accountId, address_hash: hashDestination(accountId, email) })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'address_hash'])
        .doUpdateSet({ added_at: sql<Date>`excluded.added_at` })
        .where('forwarding_destinations.added_at', '<=', sql<Date>`now() - ${DAY}`),
    )
    .execute();
  return trx
    .selectFrom('forwarding_destinations')
    .select(sql<number>`count(*)::int`.as('count'))
    .select(
      sql<number>`extract(epoch FROM min(added_at) + ${DAY} - now())::float8`.as(
        'retryAfterSeconds',
      ),
    )
    .where('account_id', '=', accountId)
    .where('added_at', '>', sql<Date>`now() - ${DAY}`)
    .executeTakeFirstOrThrow();
}

export function hashDestination(
  accountId: string | RawBuilder<unknown>,
  email: string | RawBuilder<unknown>,
) {
  return sql<Buffer>`sha256(convert_to(${accountId}::text || ' ' || ${email}::text, 'UTF8'))`;
}
