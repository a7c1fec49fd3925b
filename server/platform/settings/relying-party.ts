import { isIP } from 'node:net';
import type { Config } from './config.ts';
import { LOOPBACK } from './loopback.ts';

export interface RelyingParty {
  id: string;
  origin: string;
}

/** The host of the passkeys that work at this URL. Empty if none do. */
export function passkeyHost(
  { FEATURES_OFF: off }: Pick<Config, 'FEATURES_OFF'>,
  url: string,
): string {
  return off.includes('passkeys') ? '' : (findRelyingParty(url)?.id ?? '');
}

/**
 * Returns undefined if browsers do not allow passkeys at this URL: it has no TLS, or its host is an
 * IP address. A loopback address without TLS becomes localhost.
 */
export function findRelyingParty(url: string): RelyingParty | undefined {
  const { protocol, hostname, origin, port } = new URL(url);
  if (LOOPBACK.test(hostname) && protocol === 'http:')
    return { id: 'localhost', origin: `http://localhost${port && `:${port}`}` };
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return protocol === 'https:' && isName ? { id: hostname, origin } : undefined;
}
