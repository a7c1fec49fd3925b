import type { AddressInfo } from 'node:net';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

/**
 * Sent to a worker in this order: `listen` before the database is available (not sent to a worker
 * that starts later), `begin` when it is available, `drain` to stop being ready, `close` to exit.
 * `measure` requests metrics at any time.
 */
export type SupervisorMessage = 'listen' | 'begin' | 'drain' | 'close' | 'measure';

export type WorkerMessage =
  /** The worker accepts messages. */
  | { kind: 'started' }
  | { kind: 'listening'; address: AddressInfo }
  | { kind: 'ready' }
  | { kind: 'measured'; metrics: Snapshot }
  | { kind: 'failed'; code: string | undefined; message: string };
