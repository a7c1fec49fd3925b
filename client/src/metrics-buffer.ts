import { APIAbortError, APIConnectionError, APIError, NameplateError } from './errors.ts';
import type { DroppedMetric, FlushResult, MetricsBufferOptions } from './metrics-buffer-options.ts';
import type { IngestMetricsRequest, StatsOperations } from './operations.ts';
import { retryDelay, sleep } from './retry.ts';

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
  #waiting: Entry[] = [];
  #characters = 0;
  #active = 0;
  #closed = false;
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
      maxAttempts: options.maxAttempts ?? 3,
      onDrop: options.onDrop ?? warn,
    };
    for (const [name, value] of Object.entries(this.#options))
      if (name !== 'onDrop' && !((value as number) >= 1))
        throw new NameplateError(`${name} must be a number of at least 1.`);
  }

  /** Metrics that wait or are on their way. */
  get size(): number {
    return this.#entries.size;
  }

  /** Takes a metric in, as it is now, and returns true; or drops it and returns false. */
  add(metric: IngestMetricsRequest): boolean {
    if (this.#closed) return this.#refuse({ metric, reason: 'closed' });
    let json: string;
    try {
      json = JSON.stringify(metric);
    } catch (error) {
      return this.#refuse({ metric, reason: 'invalid', error });
    }
    const { maxSize, maxCharacters, flushInterval } = this.#options;
    if (this.#entries.size >= maxSize || this.#characters + json.length > maxCharacters)
      return this.#refuse({ metric, reason: 'full' });
    let settle!: Entry['settle'];
    const outcome = new Promise<DroppedMetric | undefined>((resolve) => {
      settle = resolve;
    });
    const entry = { json, idempotencyKey: crypto.randomUUID(), outcome, settle };
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
    this.#closed = true;
    const stop = (): void => this.#stop.abort(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    const result = await this.flush();
    signal?.removeEventListener('abort', stop);
    return result;
  }

  #refuse(dropped: DroppedMetric): false {
    this.#tell(dropped);
    return false;
  }

  // What a broken callback throws must not stop the others from being sent.
  #tell(dropped: DroppedMetric): void {
    try {
      this.#options.onDrop(dropped);
    } catch {
      warn(dropped);
    }
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#active < this.#options.concurrency && this.#waiting.length > 0) {
      const entry = this.#waiting.shift()!;
      this.#active += 1;
      void this.#deliver(entry).then((dropped) => {
        this.#active -= 1;
        this.#entries.delete(entry);
        this.#characters -= entry.json.length;
        if (dropped !== undefined) this.#tell(dropped);
        entry.settle(dropped);
        if (this.#waiting.length > 0) this.#send();
      });
    }
  }

  async #deliver({ json, idempotencyKey }: Entry): Promise<DroppedMetric | undefined> {
    const metric = JSON.parse(json) as IngestMetricsRequest;
    const { signal } = this.#stop;
    for (let tried = 1; ; tried += 1)
      try {
        await this.#stats.ingestMetrics(metric, { idempotencyKey, signal });
        return undefined;
      } catch (error) {
        if (error instanceof APIAbortError) return { metric, reason: 'aborted', error };
        if (!mayPass(error)) return { metric, reason: 'refused', error };
        if (tried >= this.#options.maxAttempts) return { metric, reason: 'failed', error };
        await sleep(retryDelay(error, tried), signal).catch(() => {});
      }
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof APIError
    ? error.status >= 500 || error.status === 429 || error.status === 408
    : error instanceof APIConnectionError;
}

function warn({ reason, error }: DroppedMetric): void {
  console.warn(
    `Nameplate: a metric was dropped (${reason}).`,
    ...(error === undefined ? [] : [error]),
  );
}
