import { isIP } from 'node:net';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** For whom passkeys are: the host that they belong to, and the origin of the pages that ask for them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * The one at an address; undefined if browsers have no passkeys there: without TLS, or with the address
 * of a machine in place of a name. Who is on this machine finds it at localhost.
 */
export function relyingPartyOf(address: string): RelyingParty | undefined {
  const { protocol, hostname, origin, port } = new URL(address);
  if (LOOPBACK.test(hostname) && protocol === 'http:')
    return { id: 'localhost', origin: `http://localhost${port && `:${port}`}` };
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return protocol === 'https:' && isName ? { id: hostname, origin } : undefined;
}
