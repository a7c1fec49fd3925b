import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Uses `X-Forwarded-For` only if the proxy is trusted. Undefined if the connection is closed. */
export function clientAddress({ ip, socket }: FastifyRequest): string | undefined {
  // `X-Forwarded-For` may contain anything, even behind a trusted proxy.
  const address = isIP(ip) === 0 ? socket.remoteAddress : ip;
  return address === undefined ? undefined : ipaddr.process(address).toString();
}

/**
 * An IPv4 address, or the first `bits` of an IPv6 address (a household gets at least a /64). Empty
 * if the connection is closed.
 */
export function clientNetwork(request: FastifyRequest, bits = 64): string {
  const address = clientAddress(request);
  return address !== undefined && isIPv6(address)
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()
    : (address ?? '');
}
