import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Uses `X-Forwarded-For` only if the proxy is trusted. Undefined if the connection is closed. */
export function clientAddress({ ip, socket }: FastifyRequest): string | undefined {
  // `X-Forwarded-For` may contain anything, even behind a trusted proxy.
  const address = isIP(ip) === 0 ? socket.remoteAddress : ip;
  return address === undefined ? undefined : ipaddr.process(address).toString();
}

/** The /24 of an IPv4 address or the /48 of an IPv6 address, which do not identify a person. */
export function anonymizeAddress(address: string): string {
  return isIPv6(address)
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString()}/48`
    : `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`).toString()}/24`;
}

/** For shares of a limit: the largest network that providers give one customer. */
export function senderNetwork(request: FastifyRequest): string {
  return anonymizeAddress(clientAddress(request) ?? '0.0.0.0');
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
