import { sql } from 'kysely';
import type { Executor, Transaction } from '#db/connections/handles.ts';
import type { LoginScope } from '#db/schema.ts';
import { selectLockedAccount } from './accounts.ts';
import { cancelMails } from './jobs.ts';

/**
 * A mailed link has the scope of the login that set the address, which may be a key of scope `all`.
 * Other links have all rights.
 */
export async function insertLoginLink(
  db: Executor,
  link: { accountId: string; tokenHash: Buffer; isMailed: boolean; minutes: number },
): Promise<void> {
  const { accountId, tokenHash, isMailed, minutes } = link;
  await db
    .insertInto('login_links')
    .values({
      account_id: accountId,
      token_hash: tokenHash,
      expires_at: sql<Date>`now() + ${minutes} * interval '1 minute'`,
      ...(isMailed && {
        scope: sql<LoginScope>`(
          SELECT email_scope FROM forwarding_settings WHERE account_id = ${accountId})`,
      }),
    })
    .execute();
}

/** Locks the link's account. Returns undefined if the link is unknown, used or expired. */
export async function consumeLoginLink(
  trx: Transaction,
  tokenHash: Buffer,
): Promise<{ account_id: string; scope: LoginScope } | undefined> {
  return trx
    .with('account', (query) =>
      selectLockedAccount(
        query,
        query.selectFrom('login_links').select('account_id').where('token_hash', '=', tokenHash),
      ),
    )
    .deleteFrom('login_links')
    .where('token_hash', '=', tokenHash)
    .where('account_id', '=', (query) => query.selectFrom('account').select('account.id'))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['account_id', 'scope'])
    .executeTakeFirst();
}

export async function deleteLoginLinks(trx: Transaction, accountId: string): Promise<void> {
  // Cancel emails first: a running mail job holds the lock until its link is stored.
  await cancelMails(trx, accountId, { kind: 'login' });
  await trx.deleteFrom('login_links').where('account_id', '=', accountId).execute();
}
