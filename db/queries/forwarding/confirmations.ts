import type { Reads } from '#db/connections/databases.ts';
import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import { cancelMails } from '../jobs.ts';
import { destinationHash } from './forwarding-destinations.ts';

/** An address that waits for its owner, and the name whose mail it would get. */
export interface Confirmation {
  id: string;
  accountId: string;
  name: string;
}

/** Finds what a link is about; undefined if it is used, too old, or no longer about what the account wants. */
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

/** Lets mail go to an address from now on. The profile must be locked. */
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
      // Who signed up by mail logs in by the newest address, also when forwarding is turned off.
      login_email: sql<string | null>`CASE WHEN login_email IS NOT NULL THEN forwarding_email END`,
    })
    .where('account_id', '=', accountId)
    .execute();
}

/** Whether the owner of an address once confirmed that mail of the account may go there. */
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
  // Before the links: a job that is mailing one holds its lock until the link is stored.
  await cancelMails(trx, accountId, ['confirmation']);
  await trx
    .updateTable('forwarding_destinations')
    .set({ token_hash: null, token_expires_at: null })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .execute();
}

/** How many accounts want mail at an address that waits for its owner. */
export async function countUnconfirmed(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('forwarding_settings')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(sql<boolean>`forwarding_enabled AND NOT forwarding_confirmed`)
    .executeTakeFirstOrThrow();
  return count;
}
