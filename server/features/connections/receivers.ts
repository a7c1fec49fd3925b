import { isIP } from 'node:net';
import { LIMITS } from '#contract/shared/limits.ts';
import { createOutboundClient, type OutboundClient } from '#server/platform/outbound/client.ts';
import {
  createPublicClient,
  isAllowedAddress,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import { FairShare } from '#server/platform/limits/fair-share.ts';
import { HourlyCounter } from '#server/platform/limits/hourly-counter.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { DeliveryClass } from '../events/delivery-queue.ts';

/** Runs that one server starts at the same time, by what they carry. Slow ones have slots of their own. */
const MAX_RUNNING: Record<DeliveryClass, number> = { event: 32, alert: 8, server: 8 };
const MAX_SLOW = 8;
const MAX_SLOW_PER_ACCOUNT = 1;
const MAX_PER_ACCOUNT = 2;
const MAX_PER_HOST = 3;
/** An attempt that takes longer gives its slot back. The next attempt needs a slot for slow receivers. */
const SLOW_MS = 1_000;
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

interface Run {
  accountId: string;
  host: string | undefined;
  isSlow: boolean;
}

export interface Slot {
  /** Lets another run start, while this one still counts for its account and host. */
  yield: () => void;
  release: () => void;
}

export interface Receivers extends OutboundClient {
  slowMs: number;
  /** Returns undefined if the kind, the account, the host or the slow receivers have no free slot. */
  tryAcquire: (kind: DeliveryClass, run: Run) => Slot | undefined;
  /** `close` aborts the signal and waits for the task, which must not throw. */
  runInBackground: (task: (signal: AbortSignal) => Promise<void>) => void;
  /** Waits for the tasks in the background. */
  settled: () => Promise<void>;
  /** For attempts by hand. The keys are accounts. */
  manualAttempts: FairQueue;
  /** Returns the time to wait in milliseconds if the account has sent too many tests in this hour. */
  countTest: (accountId: string) => number | undefined;
}

/** Calls receivers at public addresses, and those of `CONNECTION_PRIVATE_ORIGINS` at any address. */
export function createReceivers(
  { CONNECTION_PRIVATE_ORIGINS: privateOrigins }: Pick<Config, 'CONNECTION_PRIVATE_ORIGINS'>,
  {
    timeoutMs = TIMEOUT_MS,
    slowMs = SLOW_MS,
    ...options
  }: Pick<PublicClientOptions, 'ca' | 'lookup'> & { timeoutMs?: number; slowMs?: number } = {},
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
  const closing = new AbortController();
  const tasks = new Set<Promise<void>>();
  const settled = async () => void (await Promise.all(tasks));
  const testCounter = new HourlyCounter();
  const slots = {
    event: createSlots(MAX_RUNNING.event),
    alert: createSlots(MAX_RUNNING.alert),
    server: createSlots(MAX_RUNNING.server),
  };
  return {
    slowMs,
    manualAttempts: new FairQueue({ gate: 'connections', ...MANUAL_ATTEMPTS }),
    countTest: (accountId) => testCounter.addWithin(LIMITS.testsPerHour, accountId),
    call: (call) => {
      const isPrivate = privateOrigins.includes(new URL(call.url).origin);
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]);
      return (isPrivate ? privateClient : publicClient).call({ ...call, signal });
    },
    close: async () => {
      closing.abort();
      await settled();
      await Promise.all([publicClient.close(), privateClient.close()]);
    },
    tryAcquire: (kind, run) => (closing.signal.aborted ? undefined : slots[kind](run)),
    runInBackground: (task) => {
      const running = task(closing.signal).finally(() => tasks.delete(running));
      tasks.add(running);
    },
    settled,
  };
}

function createSlots(maxRunning: number): (run: Run) => Slot | undefined {
  const quick = new FairShare(maxRunning, MAX_PER_ACCOUNT);
  const slow = new FairShare(MAX_SLOW, MAX_SLOW_PER_ACCOUNT);
  const accounts = new FairShare(Infinity, MAX_PER_ACCOUNT);
  const hosts = new FairShare(Infinity, MAX_PER_HOST);
  return ({ accountId, host, isSlow }) => {
    const running = isSlow ? slow : quick;
    // The slow receivers of a host leave room for the others.
    const hostKey = host && (isSlow ? `slow ${host}` : host);
    const hasRoom = running.hasRoom(accountId) && accounts.hasRoom(accountId);
    if (!hasRoom || (hostKey && !hosts.hasRoom(hostKey))) return undefined;
    running.tryAcquire(accountId);
    accounts.tryAcquire(accountId);
    if (hostKey) hosts.tryAcquire(hostKey);
    let isRunning = true;
    const stopRunning = () => {
      if (isRunning) running.release(accountId);
      isRunning = false;
    };
    return {
      yield: () => {
        if (!isSlow) stopRunning();
      },
      release: () => {
        stopRunning();
        accounts.release(accountId);
        if (hostKey) hosts.release(hostKey);
      },
    };
  };
}

type PrivateOrigins = Pick<Config, 'CONNECTION_PRIVATE_ORIGINS'>;

export function parseReceiverUrl(config: PrivateOrigins, text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hash = '';
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  return !isHttp || findOriginProblem(config, url) ? undefined : url;
}

export function maskReceiverUrl(url: string): string {
  return `${new URL(url).origin}/…`;
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
