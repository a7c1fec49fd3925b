import type { FairQueue } from './fair-queue.ts';
import { isAboutValues, isHeldUp, isRetryable } from '../../db/sql-state.ts';
import { BatchSlots } from './batch-slots.ts';

/** Limits of one group; a write that is larger is committed by itself, on a connection of its account. */
const WRITES = 100;
const CHARACTERS = 262_144;

/** A write that can share a commit with writes of other accounts. */
export interface GroupedWrite {
  accountId: string;
  /** Approximate size of what is sent to the database. */
  characters: number;
  /** Whether it claims an idempotency key, for which it may have to wait. */
  claim?: object | undefined;
}

/** Commits writes together, and returns those that were done. */
type Commit<Write> = (writes: readonly Write[]) => Promise<ReadonlySet<Write>>;

interface GroupOptions {
  /** Name under which groups, which hold writes of many accounts, ask for places. */
  holder: string;
  places: FairQueue;
}

interface Waiting<Write> {
  write: Write;
  resolve: (isDone: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: writes that arrive in one turn of the event loop, or while others are being committed,
 * share a commit. Groups are bounded, and accounts put their writes into them in turn.
 */
export class GroupCommit<Write extends GroupedWrite> {
  readonly #commit: Commit<Write>;
  readonly #options: GroupOptions;
  /** Waiting writes by account; the account whose turn is next comes first. */
  readonly #queues = new Map<string, Waiting<Write>[]>();
  /** Whether a group is about to begin. */
  #begins = false;
  readonly #underWay = new BatchSlots();

  constructor(commit: Commit<Write>, options: GroupOptions) {
    this.#commit = commit;
    this.#options = options;
  }

  /** Commits a write, and says whether it was done. */
  async write(write: Write): Promise<boolean> {
    const { accountId, characters } = write;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiting = { write, resolve, reject };
    const queue = this.#queues.get(accountId);
    if (characters > CHARACTERS) this.#commitPart([waiting]);
    else if (queue) queue.push(waiting);
    else this.#queues.set(accountId, [waiting]);
    this.#begin();
    return promise;
  }

  /** Begins a group when the requests of this turn of the event loop are in it. */
  #begin(): void {
    if (this.#begins || this.#queues.size === 0) return;
    this.#begins = true;
    setImmediate(() => this.#underWay.enter((end) => void this.#commitNext().finally(end)));
  }

  async #commitNext(): Promise<void> {
    const { places, holder } = this.#options;
    try {
      await places.run(holder, async () => {
        this.#begins = false;
        const committed = this.#commitGroup(this.#takeGroup());
        this.#begin();
        await committed;
      });
    } catch (error) {
      this.#begins = false;
      for (const { reject } of [...this.#queues.values()].flat()) reject(error);
      this.#queues.clear();
    }
  }

  #takeGroup(): Waiting<Write>[] {
    const group: Waiting<Write>[] = [];
    let characters = 0;
    // An account that is set again below comes once more, after the others.
    for (const [accountId, queue] of this.#queues) {
      const next = queue[0]!;
      characters += next.write.characters;
      if (group.length === WRITES || characters > CHARACTERS) break;
      group.push(next);
      queue.shift();
      this.#queues.delete(accountId);
      if (queue.length > 0) this.#queues.set(accountId, queue);
    }
    return group;
  }

  /** Never fails: each write has its own outcome. */
  async #commitGroup(group: readonly Waiting<Write>[]): Promise<void> {
    try {
      const done = await this.#commit(group.map(({ write }) => write));
      for (const { write, resolve } of group) resolve(done.has(write));
    } catch (error) {
      const parts = partsOf(group, error);
      if (parts.length > 1) for (const part of parts) this.#commitPart(part);
      else for (const { reject } of group) reject(error);
    }
  }

  #commitPart(part: readonly Waiting<Write>[]): void {
    this.#options.places
      .run(part[0]!.write.accountId, () => this.#commitGroup(part))
      .catch((error: unknown) => {
        for (const { reject } of part) reject(error);
      });
  }
}

/**
 * Splits a group of which nothing was done because of one write in it. A value that cannot be stored
 * is one write's; a lock that lasts, as of a project that is being deleted or of a key that is being
 * claimed elsewhere, may hold up all writes of an account.
 */
function partsOf<Write extends GroupedWrite>(
  group: readonly Waiting<Write>[],
  error: unknown,
): Waiting<Write>[][] {
  if (isAboutValues(error) || isRetryable(error)) return group.map((waiting) => [waiting]);
  if (!isHeldUp(error)) return [];
  const parts = Map.groupBy(
    group,
    ({ write: { accountId, claim } }) => `${accountId} ${claim === undefined}`,
  );
  return [...parts.values()];
}
