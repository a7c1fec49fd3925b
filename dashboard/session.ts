import { signal } from '@preact/signals';
import { RETURN_PATH } from '#contract/shared/return-path.ts';
import { sessionApi, unauthenticatedOwner, owner } from './api/api.ts';
import { requestPasskey } from './api/passkeys.ts';
import { setSignInPrompt } from './api/session-client.ts';
import { saveAsTitle } from './display-name.ts';
import { facts } from './facts.ts';
import { actingFor, dashboardHref, navigate, currentPath, query } from './router.ts';
import { SIGN_IN_PATHS } from './sign-in/sign-in-paths.ts';
import { readStored, removeStored, store } from './storage.ts';
import { language } from './translate.ts';

export const {
  canMailLoginLinks,
  forwardsMail,
  quarantineDays,
  ssoProvider,
  isSignUpOpen,
  takesApplications,
} = facts;
/** Whether the browser runs on the server's machine, so that the user can run CLI commands. */
export const isLocalhost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);
export const pagesUrl = facts.pagesUrl ?? location.origin;
/** If true, public pages get no session cookie, so the owner's own visits are counted. */
export const hasSeparatePagesHost = facts.pagesUrl !== undefined;
/** The account of the person, even if this document acts for another one. */
export const currentAccountId = signal(facts.accountId);
/** Number of logins since the document was loaded. Data that depends on it reloads on login. */
export const signInCount = signal(0);
export const signInReason = signal<'sessionEnded' | 'loginTooOld' | 'otherAccount'>();

/** Tells other tabs, which may be visible beside this one, that the user signed in. */
const signInChannel = new BroadcastChannel('nameplate-sign-in');
signInChannel.addEventListener('message', () => {
  if (signInReason.peek() !== undefined || !currentAccountId.peek())
    refreshSession().catch(() => undefined);
});

const DESTINATION_KEY = 'nameplate-destination';

let pendingSignIns: ((isSignedIn: boolean) => void)[] = [];

export async function signInWithKey(apiKey: string): Promise<void> {
  const { account_id } = await unauthenticatedOwner.sessions.createSession({ api_key: apiKey });
  await finishSignIn(account_id, destinationAfterSignIn());
}

export async function signInWithLink(token: string): Promise<void> {
  const { account_id } = await unauthenticatedOwner.sessions.createSession({ login_url: token });
  await finishSignIn(account_id, readStored(DESTINATION_KEY) ?? '');
}

/** The screen, or the page of this server, that the user wanted to see before the sign-in. */
export function requestedScreen(): string {
  const search = query.peek().toString();
  if (!SIGN_IN_PATHS.has(currentPath.peek())) {
    const path = currentPath.peek() + (search && `?${search}`);
    return actingFor === undefined ? path : dashboardHref(path);
  }
  const { origin, pathname } = new URL(document.referrer || location.href);
  return origin === location.origin && RETURN_PATH.test(pathname) ? pathname : '';
}

/** Stores the screen for the mailed link, which opens in another tab. */
export function keepRequestedScreen(): void {
  store(DESTINATION_KEY, requestedScreen());
}

export async function signInWithPasskey(): Promise<void> {
  const { options } = await unauthenticatedOwner.passkeys.createPasskeyLoginOptions();
  const { account_id } = await unauthenticatedOwner.passkeys.createPasskeySession({
    answer: await requestPasskey(options),
  });
  await finishSignIn(account_id, destinationAfterSignIn());
}

export async function acceptInvitation(token: string, name: string | null): Promise<void> {
  const input = { invitation_url: token, display_name: name };
  const { account_id } = await unauthenticatedOwner.invitations.acceptInvitation(input);
  if (name !== null) await saveAsTitle(name);
  await finishSignIn(account_id, '');
}

/** Creates an account from a mailed sign-up link, signs in, and opens Home. */
export async function createAccount(token: string, name: string): Promise<void> {
  const input = { registration_url: token, display_name: name };
  const { account_id } = await unauthenticatedOwner.account.createAccount(input);
  await saveAsTitle(name);
  await finishSignIn(account_id, '');
}

/** Checks whether another tab signed in. If so, finishes the login in this tab, too. */
export async function refreshSession(): Promise<void> {
  const { actor_id, login_age } = await sessionApi.getSession();
  const isNewLogin = actor_id !== currentAccountId.peek() || login_age === 'fresh';
  if (isNewLogin || signInReason.peek() === 'sessionEnded') await resume(actor_id);
}

/** On sign-in screens. Otherwise undefined, to stay on the current screen. */
function destinationAfterSignIn(): string | undefined {
  return SIGN_IN_PATHS.has(currentPath.peek()) ? requestedScreen() : undefined;
}

async function finishSignIn(accountId: string, destination?: string): Promise<void> {
  store(DESTINATION_KEY, null);
  // The rule is for windows. A channel has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  signInChannel.postMessage('signed in');
  return resume(accountId, destination);
}

/**
 * Resumes the requests that wait for a login. If the account or the language changed, loads a new
 * document instead.
 */
async function resume(accountId: string, destination?: string): Promise<void> {
  if (currentAccountId.value === undefined) {
    if (await hasOtherLanguage()) return loadDocument(destination);
  } else if (currentAccountId.value !== accountId) {
    // With unsaved changes, the browser asks before it reloads. A user who stays sees the dialog.
    if (destination === undefined) signInReason.value = 'otherAccount';
    return loadDocument(destination);
  }
  currentAccountId.value = accountId;
  signInCount.value += 1;
  settleSignIn(true);
  if (destination !== undefined) navigate(destination, { replace: true });
}

/** Whether the account's language differs from this document's. */
async function hasOtherLanguage(): Promise<boolean> {
  const session = await sessionApi.getSession().catch(() => undefined);
  return (session?.language ?? language) !== language;
}

/** Without a destination, reloads the current document. */
function loadDocument(destination: string | undefined): void {
  if (destination === undefined) location.reload();
  else location.replace(dashboardHref(destination));
}

/**
 * Fails the requests that wait for a login. If the account changed, reloads the document instead,
 * which loses unsaved changes.
 */
export function cancelSignIn(): void {
  if (signInReason.peek() === 'otherAccount') location.reload();
  else settleSignIn(false);
}

function settleSignIn(isSignedIn: boolean): void {
  signInReason.value = undefined;
  const waitingSignIns = pendingSignIns;
  pendingSignIns = [];
  for (const resolve of waitingSignIns) resolve(isSignedIn);
}

const ACCOUNT_DELETED_KEY = 'nameplate-account-deleted';

/** Leaves the dashboard for the login screen, which confirms once that the account was deleted. */
export function leaveDeletedAccount(): void {
  leaveSession();
  store(ACCOUNT_DELETED_KEY, '1', 'sessionStorage');
}

export const wasAccountDeleted = readStored(ACCOUNT_DELETED_KEY, 'sessionStorage') !== null;
store(ACCOUNT_DELETED_KEY, null, 'sessionStorage');

export async function signOut(): Promise<void> {
  await owner.sessions.revokeCurrentSession();
  leaveSession();
}

/** Storage key of unsaved changes, which `leaveSession` removes. */
export function draftKey(screen: string, accountId = currentAccountId.peek()): string {
  return `${screen}${actingFor ? ` for ${actingFor}` : ''} of ${accountId}`;
}

/** Storage key of data that stays in the browser after signing out. */
export function accountKey(name: string): string {
  return `nameplate ${currentAccountId.peek()} ${actingFor ? `${actingFor} ` : ''}${name}`;
}

/** Opens the login screen, and removes unsaved changes, which must not stay in the browser. */
export function leaveSession(): void {
  removeStored('sessionStorage', () => true);
  removeStored(
    'localStorage',
    (key) => key === DESTINATION_KEY || key.endsWith(` of ${currentAccountId.peek()}`),
  );
  location.assign('/dashboard/login');
}

/** Makes requests without a session open the sign-in dialog and wait for the login. */
export function promptWhenSignedOut(): void {
  setSignInPrompt(promptSignIn);
}

/** Asks for a new login if the last one is too old. Resolves to whether the login is recent. */
export async function requireRecentLogin(): Promise<boolean> {
  const { login_age } = await owner.sessions.getSession();
  return login_age === 'fresh' || promptSignIn('loginTooOld');
}

/** Opens the sign-in dialog. Resolves to whether the user signed in. */
function promptSignIn(reason: 'sessionEnded' | 'loginTooOld'): Promise<boolean> {
  signInReason.value ??= reason;
  return new Promise((resolve) => pendingSignIns.push(resolve));
}
