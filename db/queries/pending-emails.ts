import { sql } from 'kysely';
import type { LoginScope } from '#db/schema.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';

/** An address that replaces the account's confirmed one when its owner confirms it. */
export interface PendingEmail {
  email: string;
  /** Whether mail is forwarded after the confirmation. */
  forwarding_enabled: boolean;
  email_scope: LoginScope;
  /** Id of a credential, or `OPERATOR_ACTOR`. */
  entered_by: string;
}

export async function findPendingEmail(
  db: ReadDatabase,
  accountId: string,
): Promise<PendingEmail | undefined> {
  return db
    .selectFrom('pending_emails')
    .select(['email', 'forwarding_enabled', 'email_scope', 'entered_by'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Also starts the 24 hours again. */
export async function setPendingEmail(
  trx: Transaction,
  accountId: string,
  pending: PendingEmail,
): Promise<void> {
  const row = { ...pending, expires_at: sql<Date>`now() + interval '1 day'` };
  await trx
    .insertInto('pending_emails')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

export async function deletePendingEmail(trx: Transaction, accountId: string): Promise<void> {
  await trx.deleteFrom('pending_emails').where('account_id', '=', accountId).execute();
}
