import { findSuspension, inAccountTransaction } from '#db/queries/accounts.ts';
import { listAccountsByAddress } from '#db/queries/owner-mails.ts';
import { insertLoginLink } from '#db/queries/login-links.ts';
import type { Database, Executor } from '#db/connections/handles.ts';
import type { Outbox } from '#server/features/mails/outbox.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';

/** For a link that an operator passes on to another person. */
export const HANDED_OVER = { minutes: 60 };

/**
 * The link can be used once, by default within ten minutes. Its token is in the fragment, which browsers do
 * not send to servers.
 */
export async function createLoginLink(
  db: Executor,
  accountId: string,
  origin: string,
  { isMailed = false, minutes = 10 } = {},
): Promise<string> {
  const token = createToken();
  await insertLoginLink(db, { accountId, tokenHash: hashToken(token), isMailed, minutes });
  return `${origin}/dashboard/login#${token}`;
}

/** Emails a login link for each account that has this confirmed address, or why it is suspended. */
export async function mailLoginLinks(db: Database, outbox: Outbox, email: string): Promise<void> {
  for (const accountId of await listAccountsByAddress(db, email))
    await inAccountTransaction(db, accountId, async (trx) => {
      const suspension = await findSuspension(trx, accountId);
      await outbox.enqueue(
        trx,
        suspension
          ? { kind: 'suspension', accountId, reason: suspension.reason, pageOnly: false }
          : { kind: 'login', accountId },
      );
    });
}
