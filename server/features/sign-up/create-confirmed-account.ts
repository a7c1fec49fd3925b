import type { Transaction } from '#db/connections/handles.ts';
import { type ConsumedInvitation, setInvitationAccount } from '#db/queries/invitations.ts';
import { setLoginEmail } from '#db/queries/sign-ups.ts';
import { type FirstPage, insertNamedAccount, startAccount } from '../accounts/create-account.ts';
import type { NameServices } from '../names/change-display-name.ts';

interface ConfirmedPerson extends FirstPage {
  displayName: string;
  email: string;
  /** Of an account that was waiting, and has its name. */
  accountId?: string;
}

/** For a person who has proved the address, with the invitations that it used up. */
export async function createConfirmedAccount(
  trx: Transaction,
  app: NameServices,
  { displayName, email, language, title, accountId: waitingId }: ConfirmedPerson,
  invitations: readonly (ConsumedInvitation | undefined)[],
): Promise<string> {
  const used = invitations.filter((invitation) => invitation !== undefined);
  const page = { language, title: title ?? used.at(-1)?.name ?? null };
  const accountId = waitingId ?? (await insertNamedAccount(trx, app, displayName, page)).account_id;
  if (waitingId !== undefined)
    await startAccount(trx, app, { account_id: accountId, display_name: displayName }, page);
  await setLoginEmail(trx, { accountId, email });
  for (const { id } of new Set(used)) {
    await setInvitationAccount(trx, id, accountId);
    await app.react(trx, 'invitationAccepted', { invitationId: id, accountId });
  }
  return accountId;
}
