import type { SessionRow } from '#db/queries/sessions.ts';
import type { TokenCookie } from '#server/platform/http/access/session-cookie.ts';
import { WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import type { NewSession } from './start-session.ts';

export function serializeSession(
  { id, ...session }: SessionRow,
  currentSessionId: string | undefined,
) {
  return { id, ...serializeTimes(session), current: id === currentSessionId };
}

export function createLoginResponse({ session, token }: NewSession, cookie: TokenCookie) {
  return new WithHeaders(cookie.headerFor(token), {
    account_id: session.account_id,
    key_id: session.key_id,
    session: serializeSession(session, session.id),
    login_age: 'fresh' as const,
  });
}
