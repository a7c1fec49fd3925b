import type { AddressInfo } from 'node:net';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Metrics of a process at a moment. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

/**
 * Message to a worker. In this order: `listen` before the database can be used (left out if it can be),
 * `begin` once it can, `drain` to be ready no more, `close` to end. `measure` asks for metrics at any time.
 */
export type IpcMessage = 'listen' | 'begin' | 'drain' | 'close' | 'measure';

/** Message from a worker. */
export type Report =
  /** It accepts messages. */
  | { kind: 'started' }
  | { kind: 'listening'; address: AddressInfo }
  | { kind: 'ready' }
  /** Answer to `measure`. */
  | { kind: 'measured'; metrics: Snapshot }
  /** It cannot listen. */
  | { kind: 'failed'; code: string | undefined; message: string };
