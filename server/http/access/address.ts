import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * Where a request comes from: the address before the trusted proxies, or without such that of the
 * connection, in its canonical spelling. Undefined if the connection is gone.
 */
export function addressOf({ ip, socket }: FastifyRequest): string | undefined {
  // A header may hold anything, also where a proxy passes it on.
  const address = isIP(ip) === 0 ? socket.remoteAddress : ip;
  return address === undefined ? undefined : ipaddr.process(address).toString();
}

/**
 * Network of a request: its IPv4 address, or the first `bits` of its IPv6 address (a household gets at
 * least a /64). Empty if the connection is closed.
 */
export function networkOf(request: FastifyRequest, bits = 64): string {
  const address = addressOf(request);
  return address !== undefined && isIPv6(address)
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()
    : (address ?? '');
}
