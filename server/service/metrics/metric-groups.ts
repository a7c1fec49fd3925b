import type { Kysely } from 'kysely';
import { insertMetrics, type MetricToStore } from '../../../db/queries/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import type { Shares } from '../../../db/shares.ts';
import { isAboutValues, isHeldUp, isRetryable } from '../../../db/sql-state.ts';

/** Of one statement; a metric that is longer is written by itself, on a connection of its account. */
const METRICS = 100;
const CHARACTERS = 262_144;

/** Groups that are being committed; what comes meanwhile is in the next one. */
const AT_ONCE = 2;
/** A group that takes longer waits for a lock, say, and the next ones begin without it. */
const LONG_MS = 20;

/** Groups hold the metrics of many accounts: among them they count as one more. */
const GROUPS = 'metrics';

interface Metric extends MetricToStore {
  accountId: string;
  resolve: (stored: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes metrics together that arrive in one turn of the event loop, or while others are being
 * committed: in groups of bounded size, into which accounts put theirs in turn.
 */
export class MetricGroups {
  readonly #db: Kysely<Database>;
  readonly #places: Shares;
  /** By account, the one whose turn is next first. */
  readonly #queues = new Map<string, Metric[]>();
  /** Whether a group is about to begin. */
  #begins = false;
  /** Groups that are being committed and have not taken long. */
  #underWay = 0;

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
      this.#begin();
    });
  }

  /** Begins a group when the requests of this turn of the event loop are in it. */
  #begin(): void {
    if (this.#begins || this.#queues.size === 0 || this.#underWay >= AT_ONCE) return;
    this.#begins = true;
    setImmediate(() => void this.#writeNext());
  }

  async #writeNext(): Promise<void> {
    try {
      await this.#places.run(GROUPS, async () => {
        this.#begins = false;
        const end = this.#startCounting();
        const stored = this.#store(this.#takeGroup());
        this.#begin();
        await stored;
        end();
      });
    } catch (error) {
      this.#begins = false;
      for (const metric of [...this.#queues.values()].flat()) metric.reject(error);
      this.#queues.clear();
    }
  }

  /** Counts a group until it ends or has taken long. */
  #startCounting(): () => void {
    this.#underWay += 1;
    const end = () => {
      if (counts) this.#underWay -= 1;
      counts = false;
      clearTimeout(timer);
      this.#begin();
    };
    let counts = true;
    const timer = setTimeout(end, LONG_MS);
    return end;
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
