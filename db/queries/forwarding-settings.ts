import { type Selectable, sql } from 'kysely';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { LoginScope, Schema } from '#db/schema.ts';
import { selectLockedAccount } from './accounts.ts';
import { findDisplayName } from './display-names.ts';
import { loginAddress } from './owner-mails.ts';

/**
 * The address of an account:
 *
 * - `none`: none is stored.
 * - `unchecked`: entered while the server could not send mail. Gets forwarded mail, but no login
 *   links.
 * - `unconfirmed`: gets nothing until its owner confirms it.
 * - `confirmed`: gets forwarded mail and login links.
 *
 * `changeAddress` stores an address as `confirmed` if the account confirmed it before, as `unchecked` if
 * the server cannot send mail, and otherwise as `unconfirmed`. But if that would replace an address in
 * use, the new one is kept in `waiting` for 24 hours. `confirmAddress` makes the newest address
 * `confirmed`. `clearAddress`, after a name change, leads to `none`.
 */
export type AddressState = {
  /** Whether mail is forwarded, once that is possible. */
  enabled: boolean;
  /** Rights of logins with `email`. */
  scope: LoginScope;
  /** Gets the login links while `email` is not confirmed. */
  loginEmail: string | null;
  waiting?: WaitingAddress | undefined;
} & (
  | { kind: 'none'; email: null }
  | { kind: 'unchecked' | 'unconfirmed' | 'confirmed'; email: string }
);

export interface WaitingAddress {
  email: string;
  /** Whether mail is forwarded after the confirmation. */
  enabled: boolean;
  scope: LoginScope;
  /** Id of a credential, or `OPERATOR_ACTOR`. */
  enteredBy: string;
}

export interface LockedForwardingSettings {
  display_name: string | null;
  address: AddressState;
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
  const waiting = await findWaitingAddress(trx, accountId);
  return settings && { display_name: name ?? null, address: toAddressState(settings, waiting) };
}

function toAddressState(
  row: Omit<Selectable<Schema['forwarding_settings']>, 'account_id'>,
  waiting: WaitingAddress | undefined,
): AddressState {
  const { forwarding_email: email, forwarding_confirmed: confirmed } = row;
  const { forwarding_enabled: enabled, email_scope: scope, login_email: loginEmail } = row;
  const shared = { enabled, scope, loginEmail, waiting };
  if (email === null) return { kind: 'none', email, ...shared };
  const kind = confirmed === null ? 'unchecked' : confirmed ? 'confirmed' : 'unconfirmed';
  return { kind, email, ...shared };
}

async function findWaitingAddress(
  db: ReadDatabase,
  accountId: string,
): Promise<WaitingAddress | undefined> {
  return db
    .selectFrom('pending_emails')
    .select(['email', 'forwarding_enabled as enabled', 'email_scope as scope'])
    .select('entered_by as enteredBy')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
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

const CONFIRMED = { none: null, unchecked: null, unconfirmed: false, confirmed: true };

/** The 24 hours of a waiting address start again. */
export async function storeAddress(
  trx: Transaction,
  accountId: string,
  { kind, email, enabled, scope, loginEmail, waiting }: AddressState,
): Promise<void> {
  await trx.deleteFrom('pending_emails').where('account_id', '=', accountId).execute();
  if (waiting)
    await trx
      .insertInto('pending_emails')
      .values({
        account_id: accountId,
        email: waiting.email,
        forwarding_enabled: waiting.enabled,
        email_scope: waiting.scope,
        entered_by: waiting.enteredBy,
        expires_at: sql<Date>`now() + interval '1 day'`,
      })
      .execute();
  await trx
    .updateTable('forwarding_settings')
    .set({
      forwarding_enabled: enabled,
      forwarding_email: email,
      forwarding_confirmed: CONFIRMED[kind],
      email_scope: scope,
      login_email: loginEmail,
    })
    .where('account_id', '=', accountId)
    .execute();
  if (enabled || waiting?.enabled)
    await trx
      .updateTable('display_names')
      .set({ was_forwarded: true })
      .where('account_id', '=', accountId)
      .execute();
}
