import type { FastifyRequest } from 'fastify';
import { networkOf } from './address.ts';
import type { Guarding } from './guard.ts';

/** Dependencies that tell who is signed in. */
export type SignIns = Pick<Guarding, 'authentication' | 'cookie'>;

/** The account that a browser is signed in to, whatever it asks for; undefined for nobody's. */
export async function signedInAccount(
  request: FastifyRequest,
  { authentication, cookie }: SignIns,
): Promise<string | undefined> {
  const token = cookie.tokenIn(request.headers.cookie);
  if (token === undefined) return undefined;
  const caller = await authentication.sessions.check(token, () => networkOf(request));
  return 'accountId' in caller ? caller.accountId : undefined;
}
