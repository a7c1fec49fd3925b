import { findSuspension, inAccountTransaction } from '#db/queries/accounts.ts';
import { findNameOwner } from '#db/queries/display-names.ts';
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

/**
 * Emails a login link for each account with this confirmed address, or why it is suspended. For
 * `name@mailDomain`, emails the confirmed address of the account with that display name.
 */
export async function mailLoginLinks(
  db: Database,
  outbox: Outbox,
  email: string,
  mailDomain?: string,
): Promise<void> {
  const [name = '', domain] = email.toLowerCase().split('@');
  const owner = domain === mailDomain ? await findNameOwner(db, name) : undefined;
  const accountIds = owner === undefined ? await listAccountsByAddress(db, email) : [owner];
  for (const accountId of accountIds)
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
