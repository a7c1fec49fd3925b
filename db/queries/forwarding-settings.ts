import { sql } from 'kysely';
import type { LoginScope } from '#db/schema.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { selectLockedAccount } from './accounts.ts';
import { findDisplayName } from './display-names.ts';
import { loginAddress, ownerAddress } from './owner-mails.ts';
import {
  deletePendingEmail,
  findPendingEmail,
  type PendingEmail,
  setPendingEmail,
} from './pending-emails.ts';

export interface LockedForwardingSettings {
  display_name: string | null;
  forwarding_enabled: boolean;
  forwarding_email: string | null;
  forwarding_confirmed: boolean | null;
  login_email: string | null;
  email_scope: LoginScope;
  pending: PendingEmail | undefined;
}

/** Locks the account first. */
export async function lockForwardingSettings(
  trx: Transaction,
  accountId: string,
): Promise<LockedForwardingSettings | undefined> {
  const settings = await trx
    .with('account', (db) => selectLockedAccount(db, accountId))
    .selectFrom('forwarding_settings')
    .select(['forwarding_enabled', 'forwarding_email', 'forwarding_confirmed', 'login_email'])
    .select('email_scope')
    .where('account_id', '=', (query) => query.selectFrom('account').select('account.id'))
    .forNoKeyUpdate()
    .executeTakeFirst();
  // A separate statement, because the first one may have waited for a lock and would then see older
  // versions of other tables.
  const name = await findDisplayName(trx, accountId);
  const pending = await findPendingEmail(trx, accountId);
  return settings && { ...settings, display_name: name ?? null, pending };
}

export async function findForwarding(
  db: ReadDatabase,
  accountId: string,
): Promise<
  | {
      enabled: boolean;
      email: string | null;
      confirmed: boolean | null;
      login_email: string | null;
      pending_email: string | null;
      pending_expires_at: Date | null;
    }
  | undefined
> {
  return db
    .selectFrom('forwarding_settings')
    .leftJoin('pending_emails', (join) =>
      join
        .onRef('pending_emails.account_id', '=', 'forwarding_settings.account_id')
        .on('expires_at', '>', sql<Date>`now()`),
    )
    .select([
      'forwarding_email as email',
      'forwarding_confirmed as confirmed',
      'pending_emails.email as pending_email',
      'expires_at as pending_expires_at',
    ])
    .select(
      sql<boolean>`forwarding_settings.forwarding_enabled
        OR pending_emails.forwarding_enabled IS TRUE`.as('enabled'),
    )
    .select(loginAddress.as('login_email'))
    .where('forwarding_settings.account_id', '=', accountId)
    .executeTakeFirst();
}

export type ForwardingChange = Pick<
  LockedForwardingSettings,
  'forwarding_enabled' | 'forwarding_email' | 'forwarding_confirmed' | 'email_scope'
>;

/**
 * Replaces the pending address, too. For an account that signed up by mail, a confirmed address also
 * becomes the login address.
 */
export async function updateForwarding(
  trx: Transaction,
  accountId: string,
  forwarding: ForwardingChange,
  pending?: PendingEmail,
): Promise<void> {
  if (pending) await setPendingEmail(trx, accountId, pending);
  else await deletePendingEmail(trx, accountId);
  await trx
    .updateTable('forwarding_settings')
    .set({
      ...forwarding,
      ...(forwarding.forwarding_confirmed && {
        login_email: sql<
          string | null
        >`CASE WHEN login_email IS NOT NULL THEN ${forwarding.forwarding_email} END`,
      }),
    })
    .where('account_id', '=', accountId)
    .execute();
  if (forwarding.forwarding_enabled || pending?.forwarding_enabled)
    await trx
      .updateTable('display_names')
      .set({ was_forwarded: true })
      .where('account_id', '=', accountId)
      .execute();
}

/** The owner can still log in with a confirmed address. */
export async function clearForwarding(trx: Transaction, accountId: string): Promise<void> {
  await deletePendingEmail(trx, accountId);
  await trx
    .updateTable('forwarding_settings')
    .set({
      forwarding_enabled: false,
      forwarding_email: null,
      forwarding_confirmed: null,
      login_email: ownerAddress,
    })
    .where('account_id', '=', accountId)
    .execute();
}
