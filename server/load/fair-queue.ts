import type { Reads } from '../../db/connections/databases.ts';
import { withConnections } from '../../db/connections/with-connections.ts';
import { FairShare } from './fair-share.ts';
import { type Gate, OverloadedError } from './overloaded-error.ts';

export interface FairQueueOptions {
  gate: Gate;
  /** Number of pieces of work that run at a time. */
  places: number;
  /** Number of pieces of work that wait at a time. */
  waiting: number;
  /** Longest wait in milliseconds. */
  patienceMs: number;
}

/**
 * Bounded queue that is fair between holders, which are accounts or networks. A holder gets no more
 * places, and no more room for waiting, than it leaves to all others; queues are served in turn.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #running: FairShare;
  readonly #waiting: FairShare;
  /** Waiting work by holder; the holder whose turn is next comes first. */
  readonly #queues = new Map<string, (() => void)[]>();

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#running = new FairShare(options.places);
    this.#waiting = new FairShare(options.waiting);
  }

  /** Number of pieces of work that wait. */
  get waiting(): number {
    return this.#waiting.taken;
  }

  /** Whether work of a holder runs or waits. */
  isBusy(holder: string): boolean {
    return this.#running.has(holder) || this.#waiting.has(holder);
  }

  /** A database whose connections each take a place of the holder as long as they are used. */
  of<Executor extends Reads>(holder: string, db: Executor): Executor {
    const executor = db.getExecutor();
    return withConnections(db, {
      provideConnection: (consumer, options) =>
        this.run(holder, () => executor.provideConnection(consumer, options)),
    });
  }

  /** Runs work in one of the places when the holder has its turn. */
  async run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    if (this.#queues.has(holder) || !this.#running.take(holder)) await this.#wait(holder);
    try {
      return await work();
    } finally {
      this.#running.giveBack(holder);
      this.#serve();
    }
  }

  /** Resolved when a place was taken. */
  #wait(holder: string): Promise<void> {
    const { gate, patienceMs } = this.#options;
    if (!this.#waiting.take(holder)) throw new OverloadedError(gate);
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(holder) ?? [];
      const begin = () => {
        clearTimeout(timer);
        this.#waiting.giveBack(holder);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1);
        if (queue.length === 0) this.#queues.delete(holder);
        this.#waiting.giveBack(holder);
        reject(new OverloadedError(gate));
      }, patienceMs);
      queue.push(begin);
      this.#queues.set(holder, queue);
    });
  }

  #serve(): void {
    // A holder that is set again comes once more, after the others.
    for (const [holder, queue] of this.#queues) {
      if (this.#running.taken === this.#options.places) return;
      if (!this.#running.take(holder)) continue;
      this.#queues.delete(holder);
      queue.shift()!();
      if (queue.length > 0) this.#queues.set(holder, queue);
    }
  }
}

const NETWORK_PATIENCE_MS = 2_000;

/** A queue for work that strangers can cause, fair between their networks. */
export function networkQueue(gate: Gate, patienceMs = NETWORK_PATIENCE_MS): FairQueue {
  return new FairQueue({ gate, places: 8, waiting: 200, patienceMs });
}
