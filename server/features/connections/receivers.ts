import { isIP } from 'node:net';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Executor } from '#db/connections/handles.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import { HourlyCounter } from '#server/platform/limits/hourly-counter.ts';
import { createOutboundClient, type OutboundClient } from '#server/platform/outbound/client.ts';
import {
  createPublicClient,
  isAllowedAddress,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { DeliveryClass } from '../events/delivery-queue.ts';

const MAX_RESPONSE_BYTES = 65_536;
/** For the whole call. */
const TIMEOUT_MS = 10_000;
/**
 * An attempt holds its slot for at most a second. So with 50 accounts, a turn of each other account delays
 * an attempt by at most 49 / 16 + 1 seconds.
 */
const MAX_RUNNING: Record<SlotClass, number> = { event: 32, alert: 16, server: 16, manual: 16 };
const SLOT_TIMEOUT_MS = 1_000;
const SLOTS = {
  gate: 'connections',
  maxRunningPerKey: 2,
  // Slower attempts cost only memory and a socket.
  maxInFlight: 256,
  maxWaiting: 1_000,
  maxWaitingPerKey: 20,
  // Less than the lease of a run.
  waitTimeoutMs: 10_000,
} as const;

/** `manual`: a request waits for the attempt. */
type SlotClass = DeliveryClass | 'manual';

export interface Receivers extends OutboundClient {
  /** For one attempt. The keys are accounts. */
  slots: Record<SlotClass, FairQueue>;
  /** `close` aborts the signal and waits for the task, which must not throw. */
  runInBackground: (task: (signal: AbortSignal) => Promise<void>) => void;
  /** Waits for the tasks in the background. */
  settled: () => Promise<void>;
  /** Returns the time to wait in milliseconds if the account has sent too much by hand in this hour. */
  countManualAttempt: (db: Executor, accountId: string) => number | undefined;
}

/** Calls receivers at public addresses, and those of `CONNECTION_PRIVATE_ORIGINS` at any address. */
export function createReceivers(
  { CONNECTION_PRIVATE_ORIGINS: privateOrigins }: Pick<Config, 'CONNECTION_PRIVATE_ORIGINS'>,
  {
    timeoutMs = TIMEOUT_MS,
    slotTimeoutMs = SLOT_TIMEOUT_MS,
    ...options
  }: Pick<PublicClientOptions, 'ca' | 'lookup'> & {
    timeoutMs?: number;
    slotTimeoutMs?: number;
  } = {},
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
  const manualCounter = new HourlyCounter();
  const createSlots = (kind: SlotClass) =>
    new FairQueue({ ...SLOTS, maxRunning: MAX_RUNNING[kind], slotTimeoutMs });
  return {
    slots: {
      event: createSlots('event'),
      alert: createSlots('alert'),
      server: createSlots('server'),
      manual: createSlots('manual'),
    },
    countManualAttempt: (db, accountId) =>
      manualCounter.addWithin(LIMITS.manualAttemptsPerHour, accountId, 1, db),
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
    runInBackground: (task) => {
      const running = task(closing.signal).finally(() => tasks.delete(running));
      tasks.add(running);
    },
    settled,
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
