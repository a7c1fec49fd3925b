import type { IngestMetricsRequest } from './operations.ts';

/**
 * Why a metric was not stored: `full` and `closed` before it was taken in, `invalid` because it
 * cannot be written as JSON, `refused` by the server, `failed` for as long as it was tried,
 * `aborted` by the signal given to `close`.
 */
export type DropReason = 'full' | 'closed' | 'invalid' | 'refused' | 'failed' | 'aborted';

/** A metric that was stored. */
export interface SentMetric {
  /** The metric as it was added. */
  metric: IngestMetricsRequest;
  /** The Idempotency-Key that it had in every attempt. */
  idempotencyKey: string;
}

/**
 * A metric that was not stored, and why. `buffer.add(metric, { idempotencyKey })` puts it back;
 * within 24 hours the key keeps it from being stored twice.
 */
export interface DroppedMetric extends SentMetric {
  /** Why it was not stored. */
  reason: DropReason;
  /** Error that was thrown, if any. */
  error?: unknown;
}

/** Result of `flush` or `close` for the metrics that were waiting. */
export interface FlushResult {
  /** How many were stored. */
  sent: number;
  /** Metrics that were not sent. */
  dropped: DroppedMetric[];
}

/** Settings of a buffer. */
export interface MetricsBufferOptions {
  /**
   * Metrics that may wait or be on their way; further ones are dropped as `full`.
   * @defaultValue 1000
   */
  maxSize?: number | undefined;
  /**
   * Characters of JSON that all of them together may have.
   * @defaultValue 16777216
   */
  maxCharacters?: number | undefined;
  /**
   * Metrics sent at the same time.
   * @defaultValue 4
   */
  concurrency?: number | undefined;
  /**
   * Milliseconds that a metric waits for a flush by itself; the process stays alive for it.
   * @defaultValue 1000
   */
  flushInterval?: number | undefined;
  /**
   * Milliseconds from the first attempt at a metric, or from `close` if that comes first, in which
   * what may pass is tried again before the metric is dropped as `failed`. `Infinity` never gives up.
   * Where the server names a time more than a minute away, as for what an account may store in a
   * day, the metric is kept until then, and this time begins anew.
   * @defaultValue 300000
   */
  maxRetryTime?: number | undefined;
  /** Told of every metric that is stored. */
  onSent?: ((sent: SentMetric) => void) | undefined;
  /**
   * Told of every metric that is dropped.
   * @defaultValue writes a warning to the console
   */
  onDrop?: ((dropped: DroppedMetric) => void) | undefined;
}
