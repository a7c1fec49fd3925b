import type { AddressInfo } from 'node:net';

/** Values of `HOST` that mean all addresses, and an address that a browser can open instead. */
const WILDCARD_ADDRESSES: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' };

/** Replaces loopback and wildcard addresses with `localhost`, because passkeys need a host name. */
export function toBrowsableOrigin(address: string): string {
  return address.replace(
    /^(https?:\/\/)(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?=[:/]|$)/,
    '$1localhost',
  );
}

/** Returns a URL on this machine, and a text about other addresses. */
export function describeListeningAddress({ address, port, family }: AddressInfo): {
  address: string;
  otherAddressesNote: string;
} {
  const host = WILDCARD_ADDRESSES[address] ?? (family === 'IPv6' ? `[${address}]` : address);
  return {
    address: `http://${host}:${port}`,
    otherAddressesNote:
      address in WILDCARD_ADDRESSES ? ' and all other addresses of this machine,' : '',
  };
}
