import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, CredentialChecks } from '#server/platform/caller.ts';
import type { TokenCookie } from './session-cookie.ts';

/** Throws on routes without authentication. */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('the request is not authenticated');
  return caller;
}

interface SignInApp {
  sessions: Pick<CredentialChecks, 'tokens'>;
  sessionCookie: TokenCookie;
}

/** Works on routes without authentication. Resolves to undefined without a valid session cookie. */
export async function findSignedInAccount(
  request: FastifyRequest,
  app: SignInApp,
): Promise<string | undefined> {
  return (await findSignedInCaller(request, app))?.accountId;
}

export async function findSignedInCaller(
  request: FastifyRequest,
  { sessions, sessionCookie }: SignInApp,
): Promise<Caller | undefined> {
  const token = sessionCookie.readToken(request.headers.cookie);
  if (token === undefined) return undefined;
  const result = await sessions.tokens.check(token);
  return result.ok ? result.caller : undefined;
}

/**
 * After a link on another site, browsers send no `SameSite=Strict` cookie. They do when the page
 * reloads itself. All 404 pages do, so that it says nothing about the name.
 */
export function readCookieAgain(
  { method, headers, url }: FastifyRequest,
  reply: FastifyReply,
): void {
  const isFollowedLink =
    headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] === 'navigate';
  if (isFollowedLink && method === 'GET') reply.header('refresh', `0; url=${url}`);
}
