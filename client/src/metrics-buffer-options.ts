import type { IngestMetricsRequest } from './generated/operations.ts';

/**
 * Why a metric was not stored: the buffer was `full` or `closed`, the metric is `invalid` (it
 * cannot be serialized as JSON), the server `refused` it, retries `failed` for too long, or the
 * signal given to `close` `aborted` it.
 */
export type DropReason = 'full' | 'closed' | 'invalid' | 'refused' | 'failed' | 'aborted';

/** A metric that was stored. */
export interface SentMetric {
  /** The metric that was added. */
  metric: IngestMetricsRequest;
  /** The Idempotency-Key sent with every attempt. */
  idempotencyKey: string;
}

/**
 * A metric that was not stored, and why. `buffer.add(metric, { idempotencyKey })` adds it again;
 * for 24 hours the key prevents storing it twice.
 */
export interface DroppedMetric extends SentMetric {
  /** Why it was not stored. */
  reason: DropReason;
  /** The error that was thrown, if any. */
  error?: unknown;
}

/** Result of `flush` or `close`, for the metrics that the buffer held at the call. `buffer.sent` is the total. */
export interface FlushResult {
  /** Number of stored metrics. */
  sent: number;
  /** Metrics that were not stored. */
  dropped: DroppedMetric[];
}

/** Settings of a buffer. */
export interface MetricsBufferOptions {
  /**
   * Maximum number of metrics in the buffer, waiting or being sent. Metrics beyond this number are
   * dropped as `full`.
   * @defaultValue 1000
   */
  maxSize?: number | undefined;
  /**
   * Maximum total size of the metrics in the buffer, in characters of JSON.
   * @defaultValue 16777216
   */
  maxCharacters?: number | undefined;
  /**
   * Number of metrics sent at the same time.
   * @defaultValue 4
   */
  concurrency?: number | undefined;
  /**
   * Milliseconds until added metrics are sent even without a call to `flush`. The process stays
   * alive until then.
   * @defaultValue 1000
   */
  flushInterval?: number | undefined;
  /**
   * Milliseconds to retry a metric after temporary errors before it is dropped as `failed`, counted
   * from its first attempt. For metrics not yet attempted when `close` is called, the time starts
   * then. `Infinity` never gives up. If `Retry-After` is more than a minute, such as for a daily
   * limit, the metric waits that long, and then the retry time starts again.
   * @defaultValue 300000
   */
  maxRetryTime?: number | undefined;
  /** Called for every metric that is stored. */
  onSent?: ((sent: SentMetric) => void) | undefined;
  /**
   * Called for every metric that is dropped.
   * @defaultValue writes a warning to the console
   */
  onDrop?: ((dropped: DroppedMetric) => void) | undefined;
}
