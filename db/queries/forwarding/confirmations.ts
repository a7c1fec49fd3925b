import type { Reads } from '#db/connections/databases.ts';
import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import { cancelMails } from '../jobs.ts';
import { destinationHash } from './forwarding-destinations.ts';

/** An unconfirmed forwarding address and the display name. */
export interface Confirmation {
  id: string;
  accountId: string;
  name: string;
}

/** Finds the confirmation of a link. Undefined if the link was used, expired, or the account changed the address. */
export async function findConfirmation(
  db: Reads,
  tokenHash: Buffer,
): Promise<Confirmation | undefined> {
  return db
    .selectFrom('forwarding_destinations as destination')
    .innerJoin('forwarding_settings', 'forwarding_settings.account_id', 'destination.account_id')
    .innerJoin('display_names', 'display_names.account_id', 'destination.account_id')
    .select(['destination.id', 'destination.account_id as accountId', 'display_names.name'])
    .where('destination.token_hash', '=', tokenHash)
    .where('destination.token_expires_at', '>', sql<Date>`now()`)
    .where(
      'destination.address_hash',
      '=',
      destinationHash(
        sql.ref('forwarding_settings.account_id'),
        sql.ref('forwarding_settings.forwarding_email'),
      ),
    )
    .executeTakeFirst();
}

/** Requires the lock on the forwarding settings. */
export async function confirm(
  trx: Transaction<Database>,
  { id, accountId }: Confirmation,
): Promise<void> {
  await trx
    .updateTable('forwarding_destinations')
    .set({ confirmed_at: sql<Date>`now()`, token_hash: null, token_expires_at: null })
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('forwarding_settings')
    .set({
      forwarding_confirmed: true,
      // Accounts that signed up by mail log in with the latest confirmed address, even if forwarding is off later.
      login_email: sql<string | null>`CASE WHEN login_email IS NOT NULL THEN forwarding_email END`,
    })
    .where('account_id', '=', accountId)
    .execute();
}

/** Whether the address was ever confirmed for this account. */
export async function isConfirmed(
  db: Kysely<Database>,
  accountId: string,
  email: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('forwarding_destinations')
    .select('id')
    .where('account_id', '=', accountId)
    .where('address_hash', '=', destinationHash(accountId, email))
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Invalidates an account's confirmation links and cancels confirmation mails that are still queued. */
export async function withdrawConfirmations(
  trx: Transaction<Database>,
  accountId: string,
): Promise<void> {
  // Before the links: a running mail job holds the lock until its link is stored.
  await cancelMails(trx, accountId, ['confirmation']);
  await trx
    .updateTable('forwarding_destinations')
    .set({ token_hash: null, token_expires_at: null })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .execute();
}

/** Counts accounts that wait for a confirmation. */
export async function countUnconfirmed(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('forwarding_settings')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(sql<boolean>`forwarding_enabled AND NOT forwarding_confirmed`)
    .executeTakeFirstOrThrow();
  return count;
}
