import { sql } from 'kysely';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { hashDestination } from './forwarding-destinations.ts';
import { cancelMails } from './jobs.ts';
import { countRows, exists } from './rows.ts';

export interface Confirmation {
  id: string;
  accountId: string;
  /** The address if the account has no display name. */
  name: string;
  email: string;
  isForwarding: boolean;
}

const newestEmail = sql<string>`coalesce(pending.email, forwarding_email)`;

/**
 * Returns undefined if the link is unknown, used or expired, or if the account has changed the
 * address.
 */
export async function findConfirmation(
  db: ReadDatabase,
  tokenHash: Buffer,
): Promise<Confirmation | undefined> {
  return db
    .selectFrom('forwarding_destinations as destination')
    .innerJoin('forwarding_settings', 'forwarding_settings.account_id', 'destination.account_id')
    .leftJoin('pending_emails as pending', (join) =>
      join
        .onRef('pending.account_id', '=', 'destination.account_id')
        .on('pending.expires_at', '>', sql<Date>`now()`),
    )
    .leftJoin('display_names', 'display_names.account_id', 'destination.account_id')
    .select([
      'destination.id',
      'destination.account_id as accountId',
      sql<boolean>`coalesce(pending.forwarding_enabled, forwarding_settings.forwarding_enabled)`.as(
        'isForwarding',
      ),
      sql<string>`coalesce(display_names.name, ${newestEmail})`.as('name'),
      newestEmail.as('email'),
    ])
    .where('destination.token_hash', '=', tokenHash)
    .where('destination.token_expires_at', '>', sql<Date>`now()`)
    .where(
      'destination.address_hash',
      '=',
      hashDestination(sql.ref('forwarding_settings.account_id'), newestEmail),
    )
    .executeTakeFirst();
}

export async function setDestinationConfirmed(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('forwarding_destinations')
    .set({ confirmed_at: sql<Date>`now()`, token_hash: null, token_expires_at: null })
    .where('id', '=', id)
    .execute();
}

/** Whether the account ever confirmed the address. */
export async function isDestinationConfirmed(
  db: ReadDatabase,
  accountId: string,
  email: string,
): Promise<boolean> {
  return exists(
    db,
    sql`forwarding_destinations WHERE account_id = ${accountId}
      AND address_hash = ${hashDestination(accountId, email)} AND confirmed_at IS NOT NULL`,
  );
}

/**
 * Invalidates an account's confirmation links and cancels confirmation emails that are still
 * queued.
 */
export async function cancelConfirmations(trx: Transaction, accountId: string): Promise<void> {
  // Cancel emails first: a running mail job holds the lock until its link is stored.
  await cancelMails(trx, accountId, { kind: 'confirmation' });
  await trx
    .updateTable('forwarding_destinations')
    .set({ token_hash: null, token_expires_at: null })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .execute();
}

/** Counts accounts whose new address waits for a confirmation. */
export async function countUnconfirmedDestinations(db: ReadDatabase): Promise<number> {
  return countRows(
    db,
    sql`(SELECT FROM forwarding_settings WHERE forwarding_enabled AND NOT forwarding_confirmed
      UNION ALL SELECT FROM pending_emails WHERE expires_at > now()) AS unconfirmed`,
  );
}
