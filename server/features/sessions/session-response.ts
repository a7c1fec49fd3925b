import type { TokenCookie } from '#server/platform/http/access/session-cookie.ts';
import type { NewSession } from './start-session.ts';
import type { SessionRow } from '#db/queries/sessions.ts';

export function serializeSession(session: SessionRow, currentSessionId: string | undefined) {
  return {
    session_id: session.id,
    via: session.via,
    key_id: session.key_id,
    agent: session.agent,
    created_at: session.created_at.toISOString(),
    last_seen_at: session.last_seen_at.toISOString(),
    ends_at: session.ends_at.toISOString(),
    current: session.id === currentSessionId,
  };
}

export function createLoginResponse({ session, token }: NewSession, cookie: TokenCookie) {
  return {
    status: 200,
    body: {
      account_id: session.account_id,
      key_id: session.key_id,
      session: serializeSession(session, session.id),
      login_age: 'fresh' as const,
    },
    headers: cookie.headerFor(token),
  } as const;
}

/** Also deletes the browser's cache and storage for this origin. */
export function createLogoutHeaders(cookie: TokenCookie): Record<string, string> {
  return { ...cookie.headerFor(null), 'clear-site-data': '"cache", "storage"' };
}
