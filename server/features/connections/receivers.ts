import { isIP } from 'node:net';
import { createOutboundClient, type OutboundClient } from '#server/platform/outbound/client.ts';
import {
  createPublicClient,
  isAllowedAddress,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import { FairShare } from '#server/platform/limits/fair-share.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** Connections that one server sends to at the same time. */
export const MAX_RUNNING = 8;
const MAX_PER_ACCOUNT = 2;
const MAX_PER_HOST = 3;
const MAX_FAILING = 4;
const MAX_RESPONSE_BYTES = 65_536;
/** For the whole call. */
const TIMEOUT_MS = 10_000;
/** Attempts by hand, which a request waits for. */
const MANUAL_ATTEMPTS = {
  maxRunning: 16,
  maxRunningPerKey: 2,
  maxWaiting: 32,
  maxWaitingPerKey: 4,
  waitTimeoutMs: 5_000,
};

interface Share {
  accountId: string;
  host: string | undefined;
  isFailing: boolean;
}

export interface Receivers extends OutboundClient {
  /** Returns undefined if the account, the host or the failing receivers have their share already. */
  tryAcquire: (share: Share) => (() => void) | undefined;
  /** For attempts by hand. The keys are accounts. */
  manualAttempts: FairQueue;
}

/** Calls receivers at public addresses, and those of `CONNECTION_PRIVATE_ORIGINS` at any address. */
export function createReceivers(
  { CONNECTION_PRIVATE_ORIGINS: privateOrigins }: Pick<Config, 'CONNECTION_PRIVATE_ORIGINS'>,
  {
    timeoutMs = TIMEOUT_MS,
    ...options
  }: Pick<PublicClientOptions, 'ca' | 'lookup'> & { timeoutMs?: number } = {},
): Receivers {
  const publicClient = createPublicClient({
    ...options,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    isHostAllowed: () => true,
    isLoopbackAllowed: () => false,
  });
  const privateClient = createOutboundClient({
    ca: options.ca,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  const shares = [MAX_PER_ACCOUNT, MAX_PER_HOST, MAX_FAILING].map(
    (maxPerKey) => new FairShare(MAX_RUNNING, maxPerKey),
  );
  return {
    manualAttempts: new FairQueue({ gate: 'connections', ...MANUAL_ATTEMPTS }),
    call: (call) => {
      const isPrivate = privateOrigins.includes(new URL(call.url).origin);
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]);
      return (isPrivate ? privateClient : publicClient).call({ ...call, signal });
    },
    close: async () => {
      await Promise.all([publicClient.close(), privateClient.close()]);
    },
    tryAcquire: ({ accountId, host, isFailing }) => {
      const keys = [accountId, host, isFailing ? 'failing' : undefined];
      const needed = keys.flatMap((key, index) =>
        key === undefined ? [] : [{ key, share: shares[index]! }],
      );
      if (!needed.every(({ key, share }) => share.hasRoom(key))) return undefined;
      for (const { key, share } of needed) share.tryAcquire(key);
      return () => {
        for (const { key, share } of needed) share.release(key);
      };
    },
  };
}

type PrivateOrigins = Pick<Config, 'CONNECTION_PRIVATE_ORIGINS'>;

export function parseReceiverUrl(config: PrivateOrigins, text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hash = '';
  const hasCredentials = url.username !== '' || url.password !== '';
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  return hasCredentials || !isHttp || findOriginProblem(config, url) ? undefined : url;
}

/**
 * Accepts https at a public address, and origins that the operator named. Addresses of host names are
 * checked when connecting.
 */
export function findOriginProblem(
  { CONNECTION_PRIVATE_ORIGINS: privateOrigins }: PrivateOrigins,
  { origin, protocol, hostname }: URL,
): 'connectionUrlInsecure' | 'connectionUrlPrivate' | undefined {
  if (privateOrigins.includes(origin)) return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isAllowedAddress(host, false)) return 'connectionUrlPrivate';
  return protocol === 'http:' ? 'connectionUrlInsecure' : undefined;
}
