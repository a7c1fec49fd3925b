import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { IpcMessage, Report, Snapshot } from '../ipc.ts';

/** How long workers are waited for; of one that is busy for longer the last snapshot counts. */
const PATIENCE_MS = 1_000;

const COUNTING = new Set(['counter', 'histogram']);

/**
 * The metrics of all workers, added up. Counters never fall: what a worker that ended has counted stays.
 *
 * @NOTE The library's own `clusterMetrics` has none at all while one worker says nothing, and forgets
 * those that ended.
 */
export class WorkersMetrics {
  readonly #snapshots = new Map<number, Snapshot>();
  readonly #questions = new Set<{ unanswered: Set<number>; answer: () => void }>();
  #past: Snapshot = [];

  constructor() {
    cluster.on('message', ({ id }, report: Report) => {
      if (report.kind !== 'measured') return;
      this.#snapshots.set(id, report.metrics);
      this.#note(id);
    });
    cluster.on('exit', ({ id }) => {
      const counted = (this.#snapshots.get(id) ?? []).filter(({ type }) => COUNTING.has(`${type}`));
      this.#past = add([this.#past, counted]).getMetricsAsArray() as Snapshot;
      this.#snapshots.delete(id);
      this.#note(id);
    });
  }

  /** Adds them to those of this process, as Prometheus reads them. */
  async addTo(own: Snapshot): Promise<string> {
    await this.#ask();
    return add([own, ...this.#snapshots.values(), this.#past]).metrics();
  }

  async #ask(): Promise<void> {
    const workers = Object.values(cluster.workers ?? {});
    if (workers.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const question = { unanswered: new Set(workers.map((worker) => worker!.id)), answer: resolve };
    this.#questions.add(question);
    const message: IpcMessage = 'measure';
    for (const worker of workers) worker!.send(message, () => {});
    await Promise.race([promise, sleep(PATIENCE_MS)]);
    this.#questions.delete(question);
  }

  #note(id: number): void {
    for (const { unanswered, answer } of this.#questions)
      if (unanswered.delete(id) && unanswered.size === 0) answer();
  }
}

function add(snapshots: Snapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots) as Registry;
}
