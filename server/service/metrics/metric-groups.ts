import type { Kysely } from 'kysely';
import { insertMetrics, type MetricToStore } from '../../../db/queries/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import type { Shares } from '../../../db/shares.ts';
import { isAboutValues, isHeldUp, isRetryable } from '../../../db/sql-state.ts';

/** Of one statement; a metric that is longer is written by itself, on a connection of its account. */
const METRICS = 100;
const CHARACTERS = 262_144;

/** Groups hold the metrics of many accounts: among them they count as one more. */
const GROUPS = 'metrics';

interface Metric extends MetricToStore {
  accountId: string;
  resolve: (stored: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes the metrics that arrive in one turn of the event loop, or while none can be written,
 * together: in groups of bounded size, into which accounts put theirs in turn.
 */
export class MetricGroups {
  readonly #db: Kysely<Database>;
  readonly #places: Shares;
  /** By account, the one whose turn is next first. */
  readonly #queues = new Map<string, Metric[]>();
  #awaited = false;

  constructor(db: Kysely<Database>, places: Shares) {
    this.#db = db;
    this.#places = places;
  }

  /**
   * Resolved when it is committed; false if its project does not belong to the account. One with a
   * claim is not tried by itself: false is all that is told of it then.
   */
  write(accountId: string, toStore: MetricToStore): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const metric = { accountId, ...toStore, resolve, reject };
      if (toStore.text.length > CHARACTERS) return this.#storePart([metric]);
      const queue = this.#queues.get(accountId);
      if (queue) queue.push(metric);
      else this.#queues.set(accountId, [metric]);
      if (this.#awaited) return;
      this.#awaited = true;
      setImmediate(() => void this.#writeNext());
    });
  }

  async #writeNext(): Promise<void> {
    try {
      await this.#places.run(GROUPS, () => {
        const stored = this.#store(this.#takeGroup());
        this.#awaited = this.#queues.size > 0;
        if (this.#awaited) void this.#writeNext();
        return stored;
      });
    } catch (error) {
      this.#awaited = false;
      for (const metric of [...this.#queues.values()].flat()) metric.reject(error);
      this.#queues.clear();
    }
  }

  #takeGroup(): Metric[] {
    const group: Metric[] = [];
    let characters = 0;
    // What is set again below comes once more, after the others.
    for (const [accountId, queue] of this.#queues) {
      const next = queue[0]!;
      characters += next.text.length;
      if (group.length === METRICS || characters > CHARACTERS) break;
      group.push(next);
      queue.shift();
      this.#queues.delete(accountId);
      if (queue.length > 0) this.#queues.set(accountId, queue);
    }
    return group;
  }

  /** Never fails: each metric has its own outcome. */
  async #store(group: readonly Metric[]): Promise<void> {
    try {
      const stored = await insertMetrics(this.#db, group);
      for (const [index, metric] of group.entries()) metric.resolve(stored[index]!);
    } catch (error) {
      const parts = partsOf(group);
      const isOfOne = isAboutValues(error) || isRetryable(error);
      const isOfSome = isOfOne || isHeldUp(error);
      if (isOfSome && parts.length > 1) for (const part of parts) this.#storePart(part);
      else
        for (const metric of group)
          if (isOfSome && metric.claim) metric.resolve(false);
          else if (isOfOne && group.length > 1) this.#storePart([metric]);
          else metric.reject(error);
    }
  }

  #storePart(part: readonly Metric[]): void {
    this.#places
      .run(part[0]!.accountId, () => this.#store(part))
      .catch((error: unknown) => {
        for (const metric of part) metric.reject(error);
      });
  }
}

/**
 * What to try apart when nothing of a group was stored because of one metric in it: its account or
 * project is being deleted, say, or its key is being claimed elsewhere.
 */
function partsOf(group: readonly Metric[]): Metric[][] {
  const parts = Map.groupBy(group, ({ accountId, claim }) => `${accountId} ${claim === undefined}`);
  return [...parts.values()];
}
