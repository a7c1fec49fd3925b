import type { SessionCookie } from '#server/http/access/session-cookie.ts';

/** Headers that take a browser's session back and tell it to forget what it knows of the account. */
export function loggedOut(cookie: SessionCookie): Record<string, string> {
  return { ...cookie.setting(null), 'clear-site-data': '"cache", "storage"' };
}
