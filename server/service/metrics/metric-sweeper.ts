import type { Kysely } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import { sweepMetrics } from './sweep-metrics.ts';

/** After so long what was asked for is committed. */
const SOON_MS = 500;

/** Sweeps soon after a deletion was asked for; what a stop cuts off is done by the next maintenance. */
export class MetricSweeper {
  readonly #db: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #sweeping = Promise.resolve();

  constructor(db: Kysely<Database>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  sweepSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const sweep = () => sweepMetrics(this.#db, this.#stop.signal);
      this.#sweeping = this.#sweeping.then(sweep).catch(this.#onError);
    }, SOON_MS);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#sweeping;
  }
}
