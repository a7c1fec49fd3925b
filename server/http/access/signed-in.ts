import type { FastifyRequest } from 'fastify';
import type { Caller } from '#server/caller.ts';
import type { Guarding } from './guard.ts';

/** Dependencies that tell who is signed in. */
export type SignIns = Pick<Guarding, 'authentication' | 'cookie'>;

/** The account that a browser is signed in to, whatever it asks for; undefined for nobody's. */
export async function signedInAccount(
  request: FastifyRequest,
  signIns: SignIns,
): Promise<string | undefined> {
  return (await signedInCaller(request, signIns))?.accountId;
}

/** The session that a browser has, whatever it asks for; undefined for none. */
export async function signedInCaller(
  request: FastifyRequest,
  { authentication, cookie }: SignIns,
): Promise<Caller | undefined> {
  const token = cookie.tokenIn(request.headers.cookie);
  if (token === undefined) return undefined;
  const caller = await authentication.sessions.check(token);
  return 'accountId' in caller ? caller : undefined;
}
