import type { SessionCookie } from '#server/http/access/session-cookie.ts';
import type { NewSession } from './begin-session.ts';
import type { SessionRow } from '#db/queries/sessions/sessions.ts';

/** A session as the contract shows it to its owner, who came with the one of the id `current` or with none. */
export function sessionFields(session: SessionRow, current: string | undefined) {
  return {
    id: session.id,
    via: session.via,
    key_id: session.key_id,
    agent: session.agent,
    created_at: session.created_at.toISOString(),
    last_seen_at: session.last_seen_at.toISOString(),
    ends_at: session.ends_at.toISOString(),
    current: session.id === current,
  };
}

/** Answer to somebody who has just logged in: the session, and its cookie. */
export function begunSession({ session, token }: NewSession, cookie: SessionCookie) {
  return {
    status: 200,
    body: {
      account_id: session.account_id,
      key_id: session.key_id,
      session: sessionFields(session, session.id),
      proof: 'fresh' as const,
    },
    headers: cookie.setting(token),
  } as const;
}
