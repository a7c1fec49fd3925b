import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../schema.ts';

/** What forwarding should be; undefined if the account has no profile. */
export async function findForwarding(
  db: Kysely<Database>,
  accountId: string,
): Promise<{ enabled: boolean; email: string | null } | undefined> {
  return db
    .selectFrom('profiles')
    .select(['forwarding_enabled as enabled', 'forwarding_email as email'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Stores what forwarding should be; the name is then known to have had mail, if it is turned on. */
export async function updateForwarding(
  trx: Transaction<Database>,
  accountId: string,
  forwarding: { enabled: boolean; email: string | null },
): Promise<void> {
  await trx
    .updateTable('profiles')
    .set({ forwarding_enabled: forwarding.enabled, forwarding_email: forwarding.email })
    .where('account_id', '=', accountId)
    .execute();
  if (forwarding.enabled)
    await trx
      .updateTable('display_names')
      .set({ forwarded: true })
      .where('account_id', '=', accountId)
      .execute();
}

/** Notes that the provider has no alias left of a name that nobody has. */
export async function confirmAliasGone(db: Kysely<Database>, name: string): Promise<void> {
  await db
    .updateTable('display_names')
    .set({ alias_gone_at: sql<Date>`now()` })
    .where('name', '=', name)
    .where('account_id', 'is', null)
    .execute();
}
