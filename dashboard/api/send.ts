import { isReachable, unreachable } from './connection.ts';
import { RefusedError } from './refused.ts';
import { type Route, routes } from './routes.ts';

/** Idempotency keys of writes whose answer never came: the same write is sent with the same key. */
const unanswered = new Map<string, string>();

/** They tell who is signed in, or that nobody is. */
const ABOUT_SESSIONS = new Set([
  routes.owner['session']?.['createSession'],
  routes.owner['session']?.['getSession'],
  routes.owner['passkeys']?.['logIn'],
  routes.owner['invitations']?.['acceptInvitation'],
]);

/** Calls that need a login of the last minutes: they let somebody in, or delete for good. */
const WANT_PROOF = new Set([
  routes.owner['keys']?.['createKey'],
  routes.owner['keys']?.['revokeKey'],
  routes.owner['passkeys']?.['beginRegistration'],
  routes.owner['passkeys']?.['removePasskey'],
  routes.owner['projects']?.['deleteProject'],
  routes.owner['metrics']?.['deleteMetrics'],
  routes.owner['metrics']?.['updateRetention'],
  routes.api['account']?.['updateDisplayName'],
  routes.api['emailForwarding']?.['emailForwardingToggle'],
]);

const NOT_SIGNED_IN = 'Nothing was done, since you did not sign in.';

/** Gives whether somebody has signed in; a call that was refused for want of it is sent again. */
type SignIn = (why: 'ended' | 'proof') => Promise<boolean>;
let signIn: SignIn | undefined;

/** Says how somebody signs in. */
export function onSignedOut(wait: SignIn): void {
  signIn = wait;
}

/** Calls an endpoint; gives the body of its 200, and throws everything else as a `RefusedError`. */
export async function send(route: Route, input?: unknown): Promise<unknown> {
  const [method, path] = route;
  const isWrite = method !== 'GET';
  const body = isWrite && input !== undefined ? JSON.stringify(input) : undefined;
  const write = `${method} ${path} ${body ?? ''}`;
  let key = unanswered.get(write) ?? newKey();
  const request = () =>
    fetch(isWrite ? path : withQuery(path, input), {
      method,
      credentials: 'same-origin',
      headers: {
        ...(isWrite && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
  let isProven = false;
  for (;;) {
    if (isWrite) unanswered.set(write, key);
    const answer = await request().catch(() => {
      throw unreachable();
    });
    isReachable.value = true;
    const content = await answer.json().catch(() => undefined);
    unanswered.delete(write);
    if (answer.ok) return content;
    const goOn = async (why: 'ended' | 'proof') => {
      if (!(await signIn!(why))) throw new RefusedError(answer.status, NOT_SIGNED_IN);
    };
    if (answer.status === 401 && signIn && !ABOUT_SESSIONS.has(route)) await goOn('ended');
    else if (answer.status === 403 && signIn && WANT_PROOF.has(route) && !isProven) {
      // Once: what is refused after that has another reason.
      isProven = true;
      await goOn('proof');
      // With the same key the answer would be the same.
      key = newKey();
    } else
      throw new RefusedError(
        answer.status,
        errorOf(content) ?? `The server answered ${answer.status}: try again in a moment.`,
        answer.headers.get('x-error-code') ?? undefined,
      );
  }
}

function errorOf(content: unknown): string | undefined {
  const { error } = (content ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : undefined;
}

function withQuery(path: string, input: unknown): string {
  const given = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `${path}?${query}` : path;
}

/** Not `randomUUID`, which there is only where the page came over TLS or from this machine. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
