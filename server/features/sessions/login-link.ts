import { lockAccounts } from '#db/queries/accounts.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findDisplayName, findNameOwner } from '#db/queries/display-names.ts';
import { findOwnerAddress, listAccountsByAddress } from '#db/queries/owner-mails.ts';
import { insertLoginLink } from '#db/queries/login-links.ts';
import type { Database, Executor } from '#db/connections/handles.ts';
import type { Outbox } from '#server/features/mails/outbox.ts';
import { LOGIN_LINK_MINUTES } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';

/** For a link that an operator passes on to another person. */
export const HANDED_OVER = { minutes: 60 };

/**
 * The link can be used once. Its token is in the fragment, which browsers do
 * not send to servers.
 */
export async function createLoginLink(
  db: Executor,
  accountId: string,
  origin: string,
  { isMailed = false, minutes = LOGIN_LINK_MINUTES } = {},
): Promise<string> {
  const token = createToken();
  await insertLoginLink(db, { accountId, tokenHash: hashToken(token), isMailed, minutes });
  const name = await findDisplayName(db, accountId);
  // The name is only shown, so that people with several accounts know which one they open.
  return `${origin}/dashboard/login#${token}${name === undefined ? '' : `/${name}`}`;
}

/**
 * Emails login links for all accounts with this confirmed address, or why they are suspended. For
 * `name@mailDomain`, emails the confirmed address of the account with that display name its link.
 */
export async function mailLoginLinks(
  db: Database,
  outbox: Outbox,
  email: string,
  mailDomain?: string,
): Promise<void> {
  const [localPart = '', domain] = email.toLowerCase().split('@');
  const owner = domain === mailDomain ? await findNameOwner(db, localPart) : undefined;
  const address = owner === undefined ? email : await findOwnerAddress(db, owner);
  if (address === undefined) return;
  const unlocked = await listAccountsByAddress(db, address, owner);
  const ids = new Set(unlocked.slice(0, LIMITS.accountsPerAddress).map(({ id }) => id));
  if (ids.size === 0) return;
  await inTransaction(db, async (trx) => {
    await lockAccounts(trx, [...ids]);
    const found = await listAccountsByAddress(trx, address, owner);
    const accounts = found.filter(({ id }) => ids.has(id));
    const suspended = accounts.filter(({ is_suspended }) => is_suspended);
    const [first, ...others] = accounts.filter(
      ({ is_suspended, gets_links }) => !is_suspended && gets_links,
    );
    if (first)
      await outbox.enqueue(trx, {
        kind: 'login',
        accountId: first.id,
        others: others.map(({ id, name }) => ({ accountId: id, name })),
        suspended: suspended.flatMap(({ name }) => name ?? []),
      });
    else
      for (const { id: accountId, suspension_reason: reason } of suspended)
        await outbox.enqueue(trx, { kind: 'suspension', accountId, reason, pageOnly: false });
  });
}
