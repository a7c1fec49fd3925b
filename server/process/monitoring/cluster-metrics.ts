import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { SupervisorMessage, WorkerMessage, Snapshot } from '../worker-messages.ts';

/** After this time, the last snapshot of a busy worker is used. */
const TIMEOUT_MS = 1_000;

const COUNTER_TYPES = new Set(['counter', 'histogram']);

/**
 * Combines the metrics of all workers. Counters include workers that have exited. prom-client's own
 * `clusterMetrics` fails if a worker does not respond, and forgets exited workers.
 */
export class ClusterMetrics {
  readonly #snapshots = new Map<number, Snapshot>();
  readonly #pendingReads = new Set<{ waitingFor: Set<number>; resolve: () => void }>();
  #exitedWorkers: Snapshot = [];

  constructor() {
    cluster.on('message', ({ id }, report: WorkerMessage) => {
      if (report.kind !== 'measured') return;
      this.#snapshots.set(id, report.metrics);
      this.#markReceived(id);
    });
    cluster.on('exit', ({ id }) => {
      const counters = (this.#snapshots.get(id) ?? []).filter(({ type }) =>
        COUNTER_TYPES.has(`${type}`),
      );
      this.#exitedWorkers = aggregate([
        this.#exitedWorkers,
        counters,
      ]).getMetricsAsArray() as Snapshot;
      this.#snapshots.delete(id);
      this.#markReceived(id);
    });
  }

  async aggregateWith(ownSnapshot: Snapshot): Promise<string> {
    await this.#readWorkers();
    return aggregate([ownSnapshot, ...this.#snapshots.values(), this.#exitedWorkers]).metrics();
  }

  async #readWorkers(): Promise<void> {
    const workers = Object.values(cluster.workers ?? {});
    if (workers.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const pending = { waitingFor: new Set(workers.map((worker) => worker!.id)), resolve };
    this.#pendingReads.add(pending);
    const message: SupervisorMessage = 'measure';
    for (const worker of workers) worker!.send(message, () => {});
    await Promise.race([promise, sleep(TIMEOUT_MS)]);
    this.#pendingReads.delete(pending);
  }

  #markReceived(id: number): void {
    for (const { waitingFor, resolve } of this.#pendingReads)
      if (waitingFor.delete(id) && waitingFor.size === 0) resolve();
  }
}

function aggregate(snapshots: Snapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots) as Registry;
}
