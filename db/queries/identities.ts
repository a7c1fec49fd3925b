import { type NotNull, sql } from 'kysely';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { LoginScope, Row } from '#db/schema.ts';
import { selectLockedAccount } from './accounts.ts';
import { loginAddress } from './owner-mails.ts';
import { worksAt } from './passkeys.ts';

/** The provider's URL and its permanent id for the user. */
export interface Subject {
  issuer: string;
  subject: string;
}

const columns = [
  'id',
  'issuer',
  'subject',
  'label',
  'created_at',
  'last_used_at',
  'left_at',
] as const;

export type IdentityRow = Row<'identities', (typeof columns)[number]>;

export type IdentityAccount = Row<'identities', 'id' | 'account_id' | 'scope'>;

export async function findIdentity(
  db: ReadDatabase,
  { issuer, subject }: Subject,
): Promise<IdentityAccount | undefined> {
  return db
    .selectFrom('identities')
    .select(['id', 'account_id', 'scope'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/**
 * The linked users that a logout at the provider is about. Without `subject`, those with a session
 * that started in its session `sid`.
 */
export async function listLoggedOutIdentities(
  db: ReadDatabase,
  { issuer, subject, sid }: { issuer: string; subject?: string; sid?: string },
): Promise<{ id: string; account_id: string }[]> {
  const identities = db
    .selectFrom('identities')
    .select(['id', 'account_id'])
    .where('issuer', '=', issuer)
    .orderBy('account_id');
  if (subject !== undefined) return identities.where('subject', '=', subject).execute();
  return identities
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('identity_id')
        .where('sid', '=', sid!)
        .$narrowType<{ identity_id: NotNull }>(),
    )
    .execute();
}

export async function listIdentities(db: ReadDatabase, accountId: string): Promise<IdentityRow[]> {
  return db
    .selectFrom('identities')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns undefined if the user is already linked, or the account already has a user of this provider. */
export async function insertIdentity(
  trx: Transaction,
  {
    accountId,
    ...identity
  }: Subject & { accountId: string; scope: LoginScope; label: string | null },
): Promise<string | undefined> {
  const row = await trx
    .insertInto('identities')
    .values({ account_id: accountId, ...identity })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Locks the account and removes the mark of a leaver. Returns false if the identity was unlinked. */
export async function touchIdentity(
  trx: Transaction,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  const touched = await trx
    .with('account', (query) => selectLockedAccount(query, accountId))
    .updateTable('identities')
    .set({ last_used_at: sql<Date>`now()`, left_at: null })
    .where('id', '=', id)
    .where('account_id', '=', (query) => query.selectFrom('account').select('account.id'))
    .returning('id')
    .executeTakeFirst();
  return touched !== undefined;
}

export async function countLeavers(db: ReadDatabase): Promise<number> {
  const { count } = await db
    .selectFrom('identities')
    .select(sql<number>`count(DISTINCT account_id)::integer`.as('count'))
    .where('left_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns false if the user was marked before. */
export async function markLeaver(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identities')
    .set({ left_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('left_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

/**
 * Whether the account can log in without an identity provider: with a passkey of this host, a valid key of scope
 * `all` or `operator`, or a mailed link.
 */
export async function hasOtherLogin(
  db: ReadDatabase,
  accountId: string,
  { canMailLinks, passkeyHost }: { canMailLinks: boolean; passkeyHost: string },
): Promise<boolean> {
  const { exists } = await db
    .selectFrom('accounts')
    .select(
      sql<boolean>`EXISTS (SELECT FROM passkeys WHERE account_id = ${accountId} AND ${worksAt(passkeyHost)})
        OR EXISTS (
          SELECT FROM api_keys WHERE account_id = ${accountId} AND scope IN ('all', 'operator')
            AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        )
        OR ${canMailLinks} AND EXISTS (
          SELECT FROM forwarding_settings WHERE account_id = ${accountId} AND ${loginAddress} IS NOT NULL
        )`.as('exists'),
    )
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow();
  return exists;
}
