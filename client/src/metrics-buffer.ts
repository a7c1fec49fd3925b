import { onAbort } from './abort.ts';
import { APIAbortError, NameplateError } from './errors.ts';
import type {
  DroppedMetric,
  FlushResult,
  MetricsBufferOptions,
  SentMetric,
} from './metrics-buffer-options.ts';
import type { IngestMetricsRequest, StatsOperations } from './operations.ts';
import { askedDelay, LONGEST_RETRY_AFTER, mayPass, ownDelay, sleep } from './retry.ts';
import { tell } from './tell.ts';
import { uuid } from './uuid.ts';

interface Entry {
  json: string;
  idempotencyKey: string;
  /** Undefined once the metric is stored. */
  outcome: Promise<DroppedMetric | undefined>;
  settle: (dropped: DroppedMetric | undefined) => void;
}

/**
 * Collects metrics and sends them in the background, several at a time. Every metric added ends
 * stored or reported to `onDrop`; each carries one Idempotency-Key, so no retry stores it twice.
 *
 * @example
 * ```ts
 * const buffer = new MetricsBuffer(client, { onDrop: ({ reason }) => report(reason) });
 * buffer.add({ projectId, payload: { visitors: 42 } });
 * const { sent, dropped } = await buffer.close();
 * ```
 */
export class MetricsBuffer {
  readonly #stats: Pick<StatsOperations, 'ingestMetrics'>;
  readonly #options: Required<{
    [Key in keyof MetricsBufferOptions]: NonNullable<MetricsBufferOptions[Key]>;
  }>;
  readonly #entries = new Set<Entry>();
  readonly #stop = new AbortController();
  readonly #closing = new AbortController();
  #waiting: Entry[] = [];
  #characters = 0;
  #active = 0;
  #sent = 0;
  #dropped = 0;
  #closedAt = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Throws a `NameplateError` if an option is not a positive number. */
  constructor(
    client: { readonly stats: Pick<StatsOperations, 'ingestMetrics'> },
    options: MetricsBufferOptions = {},
  ) {
    this.#stats = client.stats;
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

  /** Metrics that wait or are on their way. */
  get size(): number {
    return this.#entries.size;
  }

  /** Metrics stored so far. */
  get sent(): number {
    return this.#sent;
  }

  /** Metrics dropped so far; with `sent` and `size` it makes up all that were ever added. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Copies a metric and returns true, or drops it and returns false. Pass the `idempotencyKey` of a
   * metric that was dropped before; by default a metric gets a new one.
   */
  add(
    metric: IngestMetricsRequest,
    { idempotencyKey = uuid() }: { idempotencyKey?: string | undefined } = {},
  ): boolean {
    if (this.#closedAt < Infinity) return this.#drop({ metric, idempotencyKey, reason: 'closed' });
    let json: string;
    try {
      json = JSON.stringify(metric);
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
    this.#waiting.push(entry);
    this.#characters += json.length;
    this.#timer ??= setTimeout(() => this.#send(), flushInterval);
    return true;
  }

  /** Sends all that is waiting; resolves, and never rejects, when each is stored or dropped. */
  async flush(): Promise<FlushResult> {
    const entries = [...this.#entries];
    this.#send();
    const outcomes = await Promise.all(entries.map((entry) => entry.outcome));
    const dropped = outcomes.filter((outcome) => outcome !== undefined);
    return { sent: outcomes.length - dropped.length, dropped };
  }

  /** Takes no more metrics and flushes; when `signal` is aborted, the rest is dropped as `aborted`. */
  async close({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<FlushResult> {
    this.#closedAt = Math.min(this.#closedAt, performance.now());
    this.#closing.abort();
    const stop = (): void => this.#stop.abort(signal?.reason);
    if (signal?.aborted) stop();
    return this.flush().finally(onAbort(signal, stop));
  }

  #drop(dropped: DroppedMetric): false {
    this.#dropped += 1;
    tell(() => this.#options.onDrop(dropped));
    return false;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#active < this.#options.concurrency && this.#waiting.length > 0) {
      const entry = this.#waiting.shift()!;
      const sent = {
        metric: JSON.parse(entry.json) as IngestMetricsRequest,
        idempotencyKey: entry.idempotencyKey,
      };
      this.#active += 1;
      void this.#deliver(sent).then((dropped) => {
        this.#active -= 1;
        this.#entries.delete(entry);
        this.#characters -= entry.json.length;
        if (dropped !== undefined) this.#drop(dropped);
        else {
          this.#sent += 1;
          tell(() => this.#options.onSent(sent));
        }
        entry.settle(dropped);
        if (this.#waiting.length > 0) this.#send();
      });
    }
  }

  // Every attempt is made here, and none by the client, so that it is time that ends them.
  async #deliver({ metric, idempotencyKey }: SentMetric): Promise<DroppedMetric | undefined> {
    const { signal } = this.#stop;
    let started = performance.now();
    for (let tried = 0; ; tried += 1)
      try {
        await this.#stats.ingestMetrics(metric, { idempotencyKey, signal, maxRetries: 0 });
        return undefined;
      } catch (error) {
        const dropped = { metric, idempotencyKey, error };
        if (error instanceof APIAbortError) return { ...dropped, reason: 'aborted' };
        if (!mayPass(error)) return { ...dropped, reason: 'refused' };
        const asked = askedDelay(error) ?? 0;
        // Not sooner than by itself: minutes of `Retry-After: 0` would be a flood.
        const next = performance.now() + Math.max(asked, ownDelay(tried));
        // A limit whose end is known is no outage: the time for retries begins after it.
        if (asked > LONGEST_RETRY_AFTER) started = next;
        if (!(await this.#waitUntil(next, started))) return { ...dropped, reason: 'failed' };
      }
  }

  // False, as soon as that is known, if the time for retries ends before.
  async #waitUntil(next: number, started: number): Promise<boolean> {
    while (next <= Math.min(started, this.#closedAt) + this.#options.maxRetryTime) {
      const left = next - performance.now();
      if (left <= 0 || this.#stop.signal.aborted) return true;
      const { signal } = this.#closedAt < Infinity ? this.#stop : this.#closing;
      await sleep(left, signal).catch(() => {});
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
