import type { IngestMetricsRequest } from './operations.ts';

/**
 * Why a metric was not stored: `full` and `closed` before it was taken in, `invalid` because it
 * cannot be written as JSON, `refused` by the server, `failed` in every attempt, `aborted` by the
 * signal given to `close`.
 */
export type DropReason = 'full' | 'closed' | 'invalid' | 'refused' | 'failed' | 'aborted';

/** A metric that was not stored, and why. */
export interface DroppedMetric {
  /** The metric as it was added. */
  metric: IngestMetricsRequest;
  /** Why it was not stored. */
  reason: DropReason;
  /** What was thrown, if anything was. */
  error?: unknown;
}

/** What became of the metrics that were waiting when `flush` or `close` was called. */
export interface FlushResult {
  /** How many were stored. */
  sent: number;
  /** Those that were not. */
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
   * Calls made for one metric, each with the client's own retries, before it is dropped as `failed`.
   * @defaultValue 3
   */
  maxAttempts?: number | undefined;
  /**
   * Told of every metric that is dropped.
   * @defaultValue writes a warning to the console
   */
  onDrop?: ((dropped: DroppedMetric) => void) | undefined;
}
