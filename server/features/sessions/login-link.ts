import { inAccountTransaction } from '#db/queries/accounts.ts';
import { listAccountsByAddress } from '#db/queries/owner-mails.ts';
import { insertLoginLink } from '#db/queries/login-links.ts';
import type { Database, Executor } from '#db/connections/handles.ts';
import type { Outbox } from '#server/features/mails/outbox.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';

/**
 * The link can be used once, within ten minutes. Its token is in the fragment, which browsers do
 * not send to servers.
 */
export async function createLoginLink(
  db: Executor,
  accountId: string,
  origin: string,
  isMailed = false,
): Promise<string> {
  const token = createToken();
  await insertLoginLink(db, { accountId, tokenHash: hashToken(token), isMailed });
  return `${origin}/dashboard/login#${token}`;
}

/**
 * Emails a login link for each account that has this confirmed address. That of a suspended account
 * leads to a notice.
 */
export async function mailLoginLinks(db: Database, outbox: Outbox, email: string): Promise<void> {
  for (const accountId of await listAccountsByAddress(db, email))
    await inAccountTransaction(db, accountId, async (trx) => {
      await outbox.enqueue(trx, { kind: 'login', accountId });
    });
}
