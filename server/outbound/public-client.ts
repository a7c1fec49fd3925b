import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createOutboundClient, type OutboundClient } from './client.ts';
import { ConnectError } from './errors.ts';

export interface PublicClientOptions {
  /** Whether a host, `host` or `host:port`, may be called. */
  isListed: (host: string) => boolean;
  /** Whether a host name may lead to this machine. */
  isLoopbackAllowed: (hostname: string) => boolean;
  /** A longer answer ends the call. */
  maxAnswerBytes: number;
  /** Certificate authority to trust instead of the usual ones. */
  ca?: string | undefined;
  /** Resolves host names; the system's resolver unless given. */
  lookup?: typeof systemLookup | undefined;
}

/** Client that connects to listed hosts alone, at public addresses alone. */
export function createPublicClient({
  isListed,
  isLoopbackAllowed,
  maxAnswerBytes,
  ca,
  lookup = systemLookup,
}: PublicClientOptions): OutboundClient {
  return createOutboundClient({
    maxAnswerBytes,
    ca,
    lookup: checkedLookup(isLoopbackAllowed, lookup),
    refuse: ({ host, hostname }) => {
      if (!isListed(host)) return 'HOST_NOT_LISTED';
      // A literal address is not looked up.
      const allowed = !isIP(hostname) || isAllowedAddress(hostname, isLoopbackAllowed(hostname));
      return allowed ? undefined : 'ADDRESS_NOT_PUBLIC';
    },
  });
}

/** Leaves only the allowed addresses of a host, at the moment of connecting. */
function checkedLookup(
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

/** All IPv6 addresses that anybody has been given so far. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether an address may be connected to: a public one, or this machine's if the operator listed it. */
export function isAllowedAddress(text: string, loopbackAllowed: boolean): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const range = address.range();
  if (range === 'loopback') return loopbackAllowed;
  return range === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_IPV6));
}
