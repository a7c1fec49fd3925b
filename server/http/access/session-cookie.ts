import { parseCookie, stringifySetCookie } from 'cookie';
import { FLOW_LIFETIME_MS } from '#server/features/sign-on/sign-on-flow.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
/** As long as a session lasts at most; when it ends is up to the server. */
const SESSION_SECONDS = 90 * 86_400;

/** A cookie with a token that no script reads. */
export interface SessionCookie {
  tokenIn: (header: string | undefined) => string | undefined;
  /** The `Set-Cookie` that gives it to a browser, or with null takes it back. */
  setting: (token: string | null) => { 'set-cookie': string };
}

/** The cookie that holds the token of a session; no other site sends it. */
export function sessionCookie(address: string): SessionCookie {
  return hostCookie(address, { name: 'nameplate', maxAge: SESSION_SECONDS, sameSite: 'strict' });
}

/** The cookie of a browser that is at the single sign-on provider, which sends it back by a link. */
export function signOnCookie(address: string): SessionCookie {
  const maxAge = FLOW_LIFETIME_MS / 1_000;
  return hostCookie(address, { name: 'nameplate-sign-on', maxAge, sameSite: 'lax' });
}

/** A cookie of a server with an address: bound to its host by its name, except on loopback without TLS. */
function hostCookie(
  address: string,
  {
    name: plainName,
    maxAge,
    sameSite,
  }: { name: string; maxAge: number; sameSite: 'lax' | 'strict' },
): SessionCookie {
  const { protocol, hostname } = new URL(address);
  const isPlain = protocol === 'http:' && LOOPBACK.test(hostname);
  const name = isPlain ? plainName : `__Host-${plainName}`;
  return {
    tokenIn: (header) => (header === undefined ? undefined : parseCookie(header)[name]),
    setting: (token) => ({
      'set-cookie': stringifySetCookie({
        name,
        value: token ?? '',
        maxAge: token === null ? 0 : maxAge,
        path: '/',
        secure: !isPlain,
        httpOnly: true,
        sameSite,
      }),
    }),
  };
}
