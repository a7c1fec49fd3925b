import { signal } from '@preact/signals';
import { RefusedError } from './api/refused.ts';
import { onSignedOut, send } from './api/send.ts';

/** Who is signed in. */
export interface Session {
  account_id: string;
}

/** `undefined` until it is known, `null` for nobody. */
export const session = signal<Session | null>();
/** Whether somebody has to sign in before what is open can go on. */
export const isSigningIn = signal(false);

const SESSION = '/owner/session';
let waiting: (() => void)[] = [];

/** Asks who is signed in. */
export async function recognise(): Promise<void> {
  session.value = await send(['GET', `${SESSION}/get-session`], undefined, false)
    .then((found) => found as Session)
    .catch((error: unknown) => {
      if (error instanceof RefusedError && error.status === 401) return null;
      throw error;
    });
}

/** Signs in with what a link holds, or with a key; what waited for it goes on. */
export async function signIn(by: { link: string } | { apiKey: string }): Promise<void> {
  const before = session.value;
  await send(['POST', `${SESSION}/create-session`], by, false);
  await recognise();
  // What was typed for one account is not sent for another.
  if (before && before.account_id !== session.value?.account_id) return location.reload();
  isSigningIn.value = false;
  for (const goOn of waiting.splice(0)) goOn();
}

export async function signOut(): Promise<void> {
  await send(['POST', `${SESSION}/end-session`], undefined, false);
  location.assign('/dashboard/login');
}

/** Has calls that are refused for want of a session wait for one, with everything that is on the screen. */
export function keepSession(): void {
  onSignedOut(() => {
    isSigningIn.value = true;
    return new Promise((goOn) => waiting.push(goOn));
  });
}
