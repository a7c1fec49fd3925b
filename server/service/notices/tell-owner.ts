import type { Kysely, Transaction } from 'kysely';
import { lockAccount } from '../../../db/queries/accounts.ts';
import { findDisplayName } from '../../../db/queries/display-names.ts';
import {
  insertNotice,
  listAccountsOfAddress,
  type NoticeKind,
} from '../../../db/queries/notices.ts';
import { listOperators } from '../../../db/queries/operators.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import type { Forwarding } from '../forwarding/service.ts';

/**
 * Tells the owner of an account something, by mail to the address that they confirmed, if the service
 * sends mail. The account must be locked.
 */
export async function tellOwner(
  trx: Transaction<Database>,
  { notify }: Forwarding,
  { accountId, kind, about }: { accountId: string; kind: NoticeKind; about?: string | undefined },
): Promise<void> {
  if (!notify) return;
  const name = about ?? (await findDisplayName(trx, accountId)) ?? accountId;
  const id = await insertNotice(trx, { accountId, kind, about: name });
  if (id !== undefined) await notify(trx, { id, kind });
}

/** Mails the operators that a page was reported, each at most once an hour. */
export async function tellOperators(
  db: Kysely<Database>,
  forwarding: Forwarding,
  name: string,
): Promise<void> {
  if (!forwarding.notify) return;
  for (const { account_id: accountId } of await listOperators(db))
    await inTransaction(db, async (trx) => {
      await lockAccount(trx, accountId);
      await tellOwner(trx, forwarding, { accountId, kind: 'report', about: name });
    });
}

/** Mails a login link for each account whose owner confirmed an address; nothing if there is none. */
export async function mailLoginLinks(
  db: Kysely<Database>,
  forwarding: Forwarding,
  email: string,
): Promise<void> {
  for (const accountId of await listAccountsOfAddress(db, email))
    await inTransaction(db, async (trx) => {
      await lockAccount(trx, accountId);
      await tellOwner(trx, forwarding, { accountId, kind: 'login' });
    });
}
