import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createOutboundClient, type OutboundClient } from './client.ts';
import { ConnectError } from './errors.ts';

export interface PublicClientOptions {
  /** `host` includes the port if the URL has one. */
  isHostAllowed: (host: string) => boolean;
  isLoopbackAllowed: (hostname: string) => boolean;
  maxResponseBytes: number;
  ca?: string | undefined;
  lookup?: typeof systemLookup | undefined;
}

/**
 * Connects only to listed hosts at public addresses (or loopback, if allowed), to prevent
 * server-side request forgery.
 */
export function createPublicClient({
  isHostAllowed,
  isLoopbackAllowed,
  maxResponseBytes,
  ca,
  lookup = systemLookup,
}: PublicClientOptions): OutboundClient {
  return createOutboundClient({
    maxResponseBytes,
    ca,
    lookup: createCheckedLookup(isLoopbackAllowed, lookup),
    findBlockReason: ({ host, hostname }) => {
      if (!isHostAllowed(host)) return 'HOST_NOT_LISTED';
      // IP addresses in the URL are not resolved, so check them here.
      const allowed = !isIP(hostname) || isAllowedAddress(hostname, isLoopbackAllowed(hostname));
      return allowed ? undefined : 'ADDRESS_NOT_PUBLIC';
    },
  });
}

/**
 * Filters the resolved addresses when connecting, so that DNS rebinding cannot bypass the check.
 */
function createCheckedLookup(
  isLoopbackAllowed: (hostname: string) => boolean,
  lookup: typeof systemLookup,
): LookupFunction {
  return (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '');
      const allowed = addresses.filter(({ address }) =>
        isAllowedAddress(address, isLoopbackAllowed(name)),
      );
      const [first] = allowed;
      if (!first) return callback(new ConnectError('ADDRESS_NOT_PUBLIC'), '');
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
}

/** The only range from which global IPv6 addresses have been assigned so far. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

export function isAllowedAddress(text: string, allowsLoopback: boolean): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const range = address.range();
  if (range === 'loopback') return allowsLoopback;
  return range === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_IPV6));
}
