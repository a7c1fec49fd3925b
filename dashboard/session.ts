import { signal } from '@preact/signals';
import { currentSession, login, owner } from './api/api.ts';
import { askForPasskey } from './api/passkeys.ts';
import { onSignedOut } from './api/session-client.ts';
import { ENTRIES } from './entry/entries.ts';
import { addressOf, go, place } from './router.ts';

/** Data of the document about the server and who is signed in, so that nothing need be asked first. */
const told = document.getElementById('app')!.dataset;

/** Whether the server mails links that sign in. */
export const mailsLinks = 'mailsLinks' in told;
/** Name of the single sign-on provider, if there is one. */
export const signOn = told['signOn'];
/** Whether anybody can create an account. */
export const isRegistrationOpen = 'registrationOpen' in told;
/** Whether the browser runs on the server's machine, where its commands are available. */
export const isOnServer = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);
/** Where pages are. */
export const pagesUrl = told['pagesUrl'] ?? location.origin;
/** Whether that is another host, where browsers tell nobody who is signed in here. */
export const arePagesElsewhere = 'pagesUrl' in told;
/** The id of the account that is signed in; undefined for nobody. */
export const account = signal(told['account']);
/** How often somebody signed in here: what only a session, or the newest, may is looked at again. */
export const signIns = signal(0);
/** Why somebody has to sign in before what is open can go on. */
export const signingIn = signal<'ended' | 'proof' | 'another'>();

let waiting: ((isSignedIn: boolean) => void)[] = [];

/** Signs in with an API key. */
export async function signInByKey(apiKey: string): Promise<void> {
  const { account_id } = await login.session.createSession({ apiKey });
  goOnAs(account_id, onward());
}

/** Signs in with what a link holds, and goes to the overview. */
export async function signInByLink(link: string): Promise<void> {
  const { account_id } = await login.session.createSession({ link });
  goOnAs(account_id, '');
}

/** Signs in with a passkey of this browser. */
export async function signInByPasskey(): Promise<void> {
  const { options } = await login.passkeys.beginLogin();
  const { account_id } = await login.passkeys.logIn({ answer: await askForPasskey(options) });
  goOnAs(account_id, onward());
}

/** Creates an account with an invitation, signs in to it, and goes to Home. */
export async function acceptInvitation(invitation: string, name: string | null): Promise<void> {
  const input = { invitation, display_name: name };
  const { account_id } = await login.invitations.acceptInvitation(input);
  goOnAs(account_id, '');
}

/** Creates the account that a mailed link is for, and signs in to it. */
export async function createAccount(registration: string, name: string): Promise<void> {
  const input = { registration, display_name: name };
  const { account_id } = await login.registration.createAccount(input);
  goOnAs(account_id, '');
}

/** Looks whether somebody signed in elsewhere, in another window say. */
export async function lookAgain(): Promise<void> {
  const { account_id, proof } = await currentSession.getSession();
  // A session that is as old as before is no new login.
  const isOld = account_id === account.peek() && proof !== 'fresh';
  if (!isOld || signingIn.peek() === 'ended') goOnAs(account_id);
}

/** Where a login leads to: away from the screen that is for it alone, else nowhere. */
function onward(): string | undefined {
  return ENTRIES.has(place.peek()) ? '' : undefined;
}

/** Resumes what waited for a session; what was typed for one account is not sent for another. */
function goOnAs(accountId: string, to?: string): void {
  if (account.value !== undefined && account.value !== accountId) {
    if (to !== undefined) return location.replace(addressOf(to));
    // Who stays for what is not saved yet signs in as before, to save it.
    signingIn.value = 'another';
    return location.reload();
  }
  account.value = accountId;
  signIns.value += 1;
  stopWaiting(true);
  if (to !== undefined) go(to, { replace: true });
}

/** Leaves what waited for a session undone. What is not saved of one account is not sent for another. */
export function giveUpSigningIn(): void {
  if (signingIn.peek() === 'another') location.reload();
  else stopWaiting(false);
}

function stopWaiting(isSignedIn: boolean): void {
  signingIn.value = undefined;
  const all = waiting;
  waiting = [];
  for (const goOn of all) goOn(isSignedIn);
}

const DELETED = 'nameplate-account-deleted';

/** Leaves the dashboard after the account was deleted; the next document says so. */
export function leaveDeletedAccount(): void {
  sessionStorage.setItem(DELETED, '1');
  location.assign('/dashboard/login');
}

/** Whether the account that was signed in here was just deleted; said once. */
export const wasDeleted = sessionStorage.getItem(DELETED) !== null;
sessionStorage.removeItem(DELETED);

export async function signOut(): Promise<void> {
  await owner.session.endSession();
  // The next one at this browser reads nothing of what was not saved.
  sessionStorage.clear();
  location.assign('/dashboard/login');
}

/** Has calls that are refused for want of a session wait for one, with everything that is on the screen. */
export function keepSession(): void {
  onSignedOut(askToSignIn);
}

/** Has somebody sign in again if their last login is too old for what they are about to do. */
export async function prove(): Promise<boolean> {
  const { proof } = await owner.session.getSession();
  return proof === 'fresh' || askToSignIn('proof');
}

/** Opens the dialog for signing in; gives whether somebody did. */
function askToSignIn(why: 'ended' | 'proof'): Promise<boolean> {
  signingIn.value ??= why;
  return new Promise((goOn) => waiting.push(goOn));
}
