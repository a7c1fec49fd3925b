import { onAbort } from './abort.ts';
import { callSafely } from './call-safely.ts';
import { APIAbortError, type APIError, NameplateError } from './errors.ts';
import type { IngestMetricsRequest, StatsOperations } from './generated/operations.ts';
import type { Logger } from './logger.ts';
import type {
  DroppedMetric,
  FlushResult,
  MetricsBufferOptions,
  SentMetric,
} from './metrics-buffer-options.ts';
import { retryAfterDelay, MAX_RETRY_AFTER_MS, isTemporary, backoffDelay, sleep } from './retry.ts';
import { toJson } from './to-json.ts';
import { uuid } from './uuid.ts';

/**
 * A metric waits in `#queue` until the timer, `flush` or a finished request sends it. `#deliver` then
 * repeats its request after temporary errors. The metric is sent, or dropped: `refused` by another error,
 * `failed` after `maxRetryTime`, or `aborted` by the signal of `close`. Metrics dropped by `add` never
 * become an entry.
 */
interface Entry {
  json: string;
  idempotencyKey: string;
  /** Resolves to undefined if the metric was stored, or to the dropped metric. */
  outcome: Promise<DroppedMetric | undefined>;
  settle: (dropped: DroppedMetric | undefined) => void;
}

/**
 * Collects metrics and sends them in the background, with several requests in parallel. Every metric
 * is either stored or reported to `onDrop`. Each metric has one Idempotency-Key, so no retry stores it twice.
 *
 * @example
 * ```ts
 * const buffer = new MetricsBuffer(client, { onDrop: ({ reason }) => report(reason) });
 * buffer.add({ projectId, payload: { visitors: 42 } });
 * await buffer.close();
 * console.log(buffer.sent, buffer.dropped);
 * ```
 */
export class MetricsBuffer {
  readonly #stats: Pick<StatsOperations, 'ingestMetrics'>;
  readonly #logger: Logger | undefined;
  readonly #options: Required<{
    [Key in keyof MetricsBufferOptions]: NonNullable<MetricsBufferOptions[Key]>;
  }>;
  readonly #entries = new Set<Entry>();
  readonly #stopController = new AbortController();
  readonly #closeController = new AbortController();
  #queue: Entry[] = [];
  #characters = 0;
  #inFlight = 0;
  #sent = 0;
  #dropped = 0;
  #closedAt = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Throws a `NameplateError` if a number in the options is less than 1. */
  constructor(
    client: {
      readonly stats: Pick<StatsOperations, 'ingestMetrics'>;
      readonly logger?: Logger | undefined;
    },
    options: MetricsBufferOptions = {},
  ) {
    this.#stats = client.stats;
    this.#logger = client.logger;
    this.#options = {
      maxSize: options.maxSize ?? 1_000,
      maxCharacters: options.maxCharacters ?? 2 ** 24,
      concurrency: options.concurrency ?? 4,
      flushInterval: options.flushInterval ?? 1_000,
      maxRetryTime: options.maxRetryTime ?? 300_000,
      onSent: options.onSent ?? (() => {}),
      onDrop: options.onDrop ?? warn,
    };
    for (const [name, value] of Object.entries(this.#options))
      if (typeof value !== 'function' && !(value >= 1))
        throw new NameplateError(`${name} must be a number of at least 1.`);
  }

  /** Number of metrics that are waiting or being sent. */
  get size(): number {
    return this.#entries.size;
  }

  /** Number of metrics stored so far. */
  get sent(): number {
    return this.#sent;
  }

  /** Number of metrics dropped so far. `sent`, `dropped` and `size` add up to all added metrics. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Copies a metric into the buffer and returns true, or drops it and returns false. To add a dropped
   * metric again, pass its `idempotencyKey`. By default a metric gets a new one.
   */
  add(
    metric: IngestMetricsRequest,
    { idempotencyKey = uuid() }: { idempotencyKey?: string | undefined } = {},
  ): boolean {
    if (this.#closedAt < Infinity) return this.#drop({ metric, idempotencyKey, reason: 'closed' });
    let json: string;
    try {
      json = toJson(metric);
    } catch (error) {
      return this.#drop({ metric, idempotencyKey, reason: 'invalid', error });
    }
    const { maxSize, maxCharacters, flushInterval } = this.#options;
    if (this.#entries.size >= maxSize || this.#characters + json.length > maxCharacters)
      return this.#drop({ metric, idempotencyKey, reason: 'full' });
    let settle!: Entry['settle'];
    const outcome = new Promise<DroppedMetric | undefined>((resolve) => {
      settle = resolve;
    });
    const entry = { json, idempotencyKey, outcome, settle };
    this.#entries.add(entry);
    this.#queue.push(entry);
    this.#characters += json.length;
    this.#timer ??= setTimeout(() => this.#send(), flushInterval);
    return true;
  }

  /** Sends all waiting metrics. Resolves when each is stored or dropped; never rejects. */
  async flush(): Promise<FlushResult> {
    const entries = [...this.#entries];
    this.#send();
    const outcomes = await Promise.all(entries.map((entry) => entry.outcome));
    const dropped = outcomes.filter((outcome) => outcome !== undefined);
    return { sent: outcomes.length - dropped.length, dropped };
  }

  /** Stops accepting metrics and flushes. If `signal` is aborted, the rest is dropped as `aborted`. */
  async close({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<FlushResult> {
    this.#closedAt = Math.min(this.#closedAt, performance.now());
    this.#closeController.abort();
    const stop = (): void => this.#stopController.abort(signal?.reason);
    if (signal?.aborted) stop();
    return this.flush().finally(onAbort(signal, stop));
  }

  #drop(dropped: DroppedMetric): false {
    this.#dropped += 1;
    callSafely(() => this.#options.onDrop(dropped));
    return false;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#inFlight < this.#options.concurrency && this.#queue.length > 0) {
      const entry = this.#queue.shift()!;
      const bufferedMetric = {
        metric: JSON.parse(entry.json) as IngestMetricsRequest,
        idempotencyKey: entry.idempotencyKey,
      };
      this.#inFlight += 1;
      void this.#deliver(bufferedMetric).then((dropped) => {
        this.#inFlight -= 1;
        this.#entries.delete(entry);
        this.#characters -= entry.json.length;
        if (dropped !== undefined) this.#drop(dropped);
        else {
          this.#sent += 1;
          callSafely(() => this.#options.onSent(bufferedMetric));
        }
        entry.settle(dropped);
        if (this.#queue.length > 0) this.#send();
      });
    }
  }

  // Retries here instead of in the client, because the limit is a time, not a number of retries.
  async #deliver({ metric, idempotencyKey }: SentMetric): Promise<DroppedMetric | undefined> {
    const { signal } = this.#stopController;
    let retryWindowStart = performance.now();
    for (let retries = 0; ; retries += 1)
      try {
        await this.#stats.ingestMetrics(metric, { idempotencyKey, signal, maxRetries: 0 });
        return undefined;
      } catch (error) {
        const dropped = { metric, idempotencyKey, error };
        if (error instanceof APIAbortError) return { ...dropped, reason: 'aborted' };
        if (!isTemporary(error)) return { ...dropped, reason: 'refused' };
        const retryAfter = retryAfterDelay(error) ?? 0;
        // Never wait less than the backoff delay. Otherwise, this would flood a server that keeps
        // sending `Retry-After: 0`.
        const nextAttempt = performance.now() + Math.max(retryAfter, backoffDelay(retries));
        // A long Retry-After means a rate limit, not an outage, so `maxRetryTime` starts after it.
        if (retryAfter > MAX_RETRY_AFTER_MS) retryWindowStart = nextAttempt;
        const { method, path, status, requestId } = error as APIError;
        const retryDelay = Math.round(nextAttempt - performance.now());
        const attempt = { method, path, attempt: retries + 1, status, requestId, retryDelay };
        callSafely(() => this.#logger?.warn?.('retry', { ...attempt, error: String(error) }));
        if (!(await this.#waitUntil(nextAttempt, retryWindowStart)))
          return { ...dropped, reason: 'failed' };
      }
  }

  // Waits until `nextAttempt` (or until aborted) and returns true. Returns false if `maxRetryTime`
  // ends before `nextAttempt`, which `close()` can cause during the wait.
  async #waitUntil(nextAttempt: number, retryWindowStart: number): Promise<boolean> {
    while (nextAttempt <= Math.min(retryWindowStart, this.#closedAt) + this.#options.maxRetryTime) {
      const remainingMs = nextAttempt - performance.now();
      if (remainingMs <= 0 || this.#stopController.signal.aborted) return true;
      const { signal } = this.#closedAt < Infinity ? this.#stopController : this.#closeController;
      await sleep(remainingMs, signal).catch(() => {});
    }
    return false;
  }
}

function warn({ reason, error }: DroppedMetric): void {
  console.warn(
    `Nameplate: a metric was dropped (${reason}).`,
    ...(error === undefined ? [] : [error]),
  );
}
