import { LOOPBACK } from '#server/platform/settings/loopback.ts';

/** The server may end a session earlier. */
const SESSION_SECONDS = 90 * 86_400;
/** Time for the login at the identity provider. */
export const FLOW_LIFETIME_MS = 600_000;

export interface TokenCookie {
  readToken: (header: string | undefined) => string | undefined;
  headerFor: (token: string | null) => { 'set-cookie': string };
}

/** `SameSite=Strict`, so requests from other sites do not carry it. */
export function createSessionCookie(url: string): TokenCookie {
  return createTokenCookie(url, {
    name: 'nameplate',
    maxAge: SESSION_SECONDS,
    sameSite: 'Strict',
  });
}

/** `SameSite=Lax`, because the identity provider redirects back to this server. */
export function createSignOnCookie(url: string): TokenCookie {
  const maxAge = FLOW_LIFETIME_MS / 1_000;
  return createTokenCookie(url, { name: 'nameplate-sign-on', maxAge, sameSite: 'Lax' });
}

/** Also deletes the browser's cache and storage for this origin. */
export function createLogoutHeaders(cookie: TokenCookie): Record<string, string> {
  return { ...cookie.headerFor(null), 'clear-site-data': '"cache", "storage"' };
}

/**
 * The `__Host-` prefix binds the cookie to its host. It requires HTTPS, so it is omitted for plain
 * HTTP on loopback.
 */
function createTokenCookie(
  url: string,
  {
    name: plainName,
    maxAge,
    sameSite,
  }: { name: string; maxAge: number; sameSite: 'Lax' | 'Strict' },
): TokenCookie {
  const { protocol, hostname } = new URL(url);
  const isHttp = protocol === 'http:' && LOOPBACK.test(hostname);
  const name = isHttp ? plainName : `__Host-${plainName}`;
  return {
    readToken: (header = '') =>
      header
        .split(';')
        .map((cookie) => cookie.trim())
        .find((cookie) => cookie.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    headerFor: (token) => ({
      'set-cookie': [
        `${name}=${token ?? ''}`,
        `Max-Age=${token === null ? 0 : maxAge}`,
        'Path=/',
        'HttpOnly',
        ...(isHttp ? [] : ['Secure']),
        `SameSite=${sameSite}`,
      ].join('; '),
    }),
  };
}
