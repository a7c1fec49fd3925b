import { signal } from '@preact/signals';
import { owner } from './api/api.ts';
import { askForPasskey } from './api/passkeys.ts';
import { onSignedOut } from './api/send.ts';

const OPENED_FOR = document.getElementById('app')!.dataset['account'];

/** The id of the account that is signed in; undefined for nobody. */
export const account = signal(OPENED_FOR);
/** How often somebody signed in here: what only the newest session may is looked at again. */
export const signIns = signal(0);
/** Whether somebody has to sign in before what is open can go on. */
export const isSigningIn = signal(false);

let waiting: (() => void)[] = [];

/** Signs in with what a link holds, or with a key. */
export async function signIn(proof: { link: string } | { apiKey: string }): Promise<void> {
  const { account_id } = await owner.session.createSession(proof);
  goOnAs(account_id);
}

/** Signs in with a passkey of this browser. */
export async function signInByPasskey(): Promise<void> {
  const { options } = await owner.passkeys.beginLogin();
  const { account_id } = await owner.passkeys.logIn({ answer: await askForPasskey(options) });
  goOnAs(account_id);
}

/** Makes an account by an invitation and signs in to it. */
export async function acceptInvitation(invitation: string, name: string | null): Promise<void> {
  const input = { invitation, display_name: name };
  const { account_id } = await owner.invitations.acceptInvitation(input);
  goOnAs(account_id);
}

/** Looks whether somebody signed in elsewhere, in another window say. */
export async function lookAgain(): Promise<void> {
  const { account_id } = await owner.session.getSession();
  goOnAs(account_id);
}

/** What waited for a session goes on; what was typed for one account is not sent for another. */
function goOnAs(accountId: string): void {
  if (account.value !== undefined && account.value !== accountId) return location.reload();
  account.value = accountId;
  signIns.value += 1;
  isSigningIn.value = false;
  const all = waiting;
  waiting = [];
  for (const goOn of all) goOn();
}

export async function signOut(): Promise<void> {
  await owner.session.endSession();
  location.assign('/dashboard/login');
}

/** Has calls that are refused for want of a session wait for one, with everything that is on the screen. */
export function keepSession(): void {
  onSignedOut(() => {
    isSigningIn.value = true;
    return new Promise((goOn) => waiting.push(goOn));
  });
}
