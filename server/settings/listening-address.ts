import type { AddressInfo } from 'node:net';

/** Values of `HOST` for all addresses of the machine, and one of them that a browser opens. */
const ALL: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' };

/**
 * The address of a server as its links name it: at localhost instead of a loopback address, because
 * browsers have passkeys only at names.
 */
export function linkAddress(address: string): string {
  return address.replace(/^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '$1localhost');
}

/** Where a server that listens can be found from this machine, and the words about where else. */
export function listeningAddress({ address, port, family }: AddressInfo): {
  address: string;
  others: string;
} {
  const one = ALL[address] ?? (family === 'IPv6' ? `[${address}]` : address);
  return {
    address: `http://${one}:${port}`,
    others: address in ALL ? ' and all other addresses of this machine,' : '',
  };
}
