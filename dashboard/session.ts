import { signal } from '@preact/signals';
import { owner } from './api/api.ts';
import { onSignedOut } from './api/send.ts';

const OPENED_FOR = document.getElementById('app')!.dataset['account'];

/** The id of the account that is signed in; undefined for nobody. */
export const account = signal(OPENED_FOR);
/** Whether somebody has to sign in before what is open can go on. */
export const isSigningIn = signal(false);

let waiting: (() => void)[] = [];

/** Signs in with what a link holds, or with a key. */
export async function signIn(proof: { link: string } | { apiKey: string }): Promise<void> {
  const { account_id } = await owner.session.createSession(proof);
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
