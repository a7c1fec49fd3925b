import { parseCookie, stringifySetCookie } from 'cookie';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
/** As long as a session lasts at most; when it ends is up to the server. */
const SECONDS = 90 * 86_400;

/** The cookie that holds the token of a session: no script reads it, and no other site sends it. */
export interface SessionCookie {
  tokenIn: (header: string | undefined) => string | undefined;
  /** The `Set-Cookie` that gives it to a browser, or with null takes it back. */
  setting: (token: string | null) => { 'set-cookie': string };
}

/** The cookie of a server with an address: bound to its host by its name, except on loopback without TLS. */
export function sessionCookie(address: string): SessionCookie {
  const { protocol, hostname } = new URL(address);
  const isPlain = protocol === 'http:' && LOOPBACK.test(hostname);
  const name = isPlain ? 'nameplate' : '__Host-nameplate';
  return {
    tokenIn: (header) => (header === undefined ? undefined : parseCookie(header)[name]),
    setting: (token) => ({
      'set-cookie': stringifySetCookie({
        name,
        value: token ?? '',
        maxAge: token === null ? 0 : SECONDS,
        path: '/',
        secure: !isPlain,
        httpOnly: true,
        sameSite: 'strict',
      }),
    }),
  };
}
