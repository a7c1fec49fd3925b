import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createOutboundClient, type OutboundClient } from '../outbound/client.ts';
import { ConnectError } from '../outbound/errors.ts';
import { isAllowedAddress } from './allowed-address.ts';
import { DEFAULT_WEBHOOK_HOSTS } from './webhook-url.ts';

const MAX_ANSWER_BYTES = 1_048_576;

export interface PlatformClientOptions {
  /** Hosts that may be called, each `host` or `host:port`. */
  hosts: readonly string[];
  /** Certificate authority to trust instead of the usual ones. */
  ca?: string | undefined;
  /** Resolves host names; the system's resolver unless given. */
  lookup?: typeof systemLookup | undefined;
}

/** Connects to the given hosts alone, at public addresses alone. */
export function createPlatformClient(options: PlatformClientOptions): OutboundClient {
  const { hosts, ca, lookup = systemLookup } = options;
  const listed = new Set(hosts.map((host) => host.replace(/:443$/, '')));
  return createOutboundClient({
    maxAnswerBytes: MAX_ANSWER_BYTES,
    ca,
    lookup: checkedLookup(new Set(hosts.filter(isListedByOperator).map(hostname)), lookup),
    refuse: ({ host, hostname: name }) => {
      if (!listed.has(host)) return 'HOST_NOT_LISTED';
      // A literal address is not looked up.
      const allowed = !isIP(name) || isAllowedAddress(name, isListedByOperator(host));
      return allowed ? undefined : 'ADDRESS_NOT_PUBLIC';
    },
  });
}

/** Leaves only the allowed addresses of a host, at the moment of connecting. */
function checkedLookup(loopback: ReadonlySet<string>, lookup: typeof systemLookup): LookupFunction {
  return (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '');
      const allowed = addresses.filter(({ address }) =>
        isAllowedAddress(address, loopback.has(name)),
      );
      const [first] = allowed;
      if (!first) return callback(new ConnectError('ADDRESS_NOT_PUBLIC'), '');
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
}

function isListedByOperator(host: string): boolean {
  return !DEFAULT_WEBHOOK_HOSTS.includes(hostname(host));
}

function hostname(host: string): string {
  return host.replace(/:\d+$/, '');
}
