import type { Language } from '#contract/shared/languages.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { type ConsumedInvitation, setInvitationAccount } from '#db/queries/invitations.ts';
import { setLoginEmail } from '#db/queries/sign-ups.ts';
import { insertNamedAccount } from '../accounts/create-account.ts';
import type { NameServices } from '../names/change-display-name.ts';

/** For a person who has proved the address, with the invitations that it used up. */
export async function createConfirmedAccount(
  trx: Transaction,
  app: NameServices,
  {
    displayName,
    email,
    language,
    title = null,
  }: { displayName: string; email: string; language: Language | null; title?: string | null },
  invitations: readonly (ConsumedInvitation | undefined)[],
): Promise<string> {
  const used = invitations.filter((invitation) => invitation !== undefined);
  const { account_id: accountId } = await insertNamedAccount(trx, app, displayName, {
    language,
    title: title ?? used.at(-1)?.name ?? null,
  });
  await setLoginEmail(trx, { accountId, email });
  for (const { id } of new Set(used)) await setInvitationAccount(trx, id, accountId);
  return accountId;
}
