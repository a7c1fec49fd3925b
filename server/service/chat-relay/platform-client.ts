import type { OutboundClient } from '../outbound/client.ts';
import { createPublicClient, type PublicClientOptions } from '../outbound/public-client.ts';
import { DEFAULT_WEBHOOK_HOSTS } from './webhook-url.ts';

const MAX_ANSWER_BYTES = 1_048_576;

export interface PlatformClientOptions extends Pick<PublicClientOptions, 'ca' | 'lookup'> {
  /** Hosts that may be called, each `host` or `host:port`. */
  hosts: readonly string[];
}

/** Connects to the given hosts alone, at public addresses alone. */
export function createPlatformClient({ hosts, ca, lookup }: PlatformClientOptions): OutboundClient {
  const listed = new Set(hosts.map((host) => host.replace(/:443$/, '')));
  // This machine may be called where the operator listed it.
  const ownHosts = new Set(hosts.map(hostname).filter((name) => !isDefault(name)));
  return createPublicClient({
    maxAnswerBytes: MAX_ANSWER_BYTES,
    isListed: (host) => listed.has(host),
    isLoopbackAllowed: (name) => ownHosts.has(name),
    ca,
    lookup,
  });
}

function isDefault(name: string): boolean {
  return DEFAULT_WEBHOOK_HOSTS.includes(name);
}

function hostname(host: string): string {
  return host.replace(/:\d+$/, '');
}
