import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';
import { DEFAULT_WEBHOOK_HOSTS } from './webhook-url.ts';

const CONNECT_TIMEOUT_MS = 4_000;
const MAX_ANSWER_BYTES = 1_048_576;

/** No connection could be made, so nothing was sent. */
export class ConnectError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`no connection to the chat platform: ${code}`);
    this.code = code;
  }
}

export interface AgentOptions {
  /** Hosts that may be called, each `host` or `host:port`. */
  hosts: readonly string[];
  /** Certificate authority to trust instead of the usual ones. */
  ca?: string | undefined;
  /** Resolves host names; the system's resolver unless given. */
  lookup?: typeof systemLookup | undefined;
}

/** Connections over verified TLS to the given hosts alone, at public addresses alone. */
export function createAgent({ hosts, ca, lookup = systemLookup }: AgentOptions): Agent {
  const listed = new Set(hosts.map((host) => host.replace(/:443$/, '')));
  const connect = buildConnector({
    allowH2: false,
    rejectUnauthorized: true,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: checkedLookup(new Set(hosts.filter(isListedByOperator).map(hostname)), lookup),
    ...(ca !== undefined && { ca }),
  });
  return new Agent({
    allowH2: false,
    maxResponseSize: MAX_ANSWER_BYTES,
    // The whole call has one time limit, the caller's signal.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      const { host, hostname: name } = options;
      if (!host || !listed.has(host)) return callback(new ConnectError('HOST_NOT_LISTED'), null);
      // A literal address is not looked up.
      if (isIP(name) && !isAllowedAddress(name, isListedByOperator(host)))
        return callback(new ConnectError('ADDRESS_NOT_PUBLIC'), null);
      connect(options, (error, socket) =>
        error ? callback(new ConnectError(codeOf(error)), null) : callback(null, socket),
      );
    },
  });
}

/** Whether an address may be connected to: a public one, or this machine's if the operator listed it. */
export function isAllowedAddress(address: string, loopbackAllowed: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === 'unicast' || (loopbackAllowed && range === 'loopback');
}

/** What identifies an error of a connection without repeating anything that was sent over it. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : error.name;
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
