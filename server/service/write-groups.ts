import type { Shares } from '../../db/shares.ts';
import { isAboutValues, isHeldUp, isRetryable } from '../../db/sql-state.ts';
import { GroupsUnderWay } from './groups-under-way.ts';

/** Writes of one statement; one that is longer is done by itself, on a connection of its account. */
const WRITES = 100;
const CHARACTERS = 262_144;

/** What a request asks to write. */
export interface Write {
  accountId: string;
  /** Of what is sent to the database, about. */
  characters: number;
  /** The key that it claims, if it came with one. */
  claim?: object | undefined;
}

/** Does writes in one statement, and tells of each what came of it: undefined if nothing was done. */
type DoAll<Each, Done> = (writes: readonly Each[]) => Promise<(Done | undefined)[]>;

interface GroupOptions {
  /** What the groups, which hold writes of many accounts, are called among the accounts. */
  holder: string;
  places: Shares;
}

interface Waiting<Each, Done> {
  write: Each;
  resolve: (done: Done | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Does those writes together that arrive in one turn of the event loop, or while others are being
 * committed: in groups of bounded size, into which accounts put theirs in turn.
 */
export class WriteGroups<Each extends Write, Done> {
  readonly #do: DoAll<Each, Done>;
  readonly #options: GroupOptions;
  /** By account, the one whose turn is next first. */
  readonly #queues = new Map<string, Waiting<Each, Done>[]>();
  /** Whether a group is about to begin. */
  #begins = false;
  readonly #underWay = new GroupsUnderWay();

  constructor(doAll: DoAll<Each, Done>, options: GroupOptions) {
    this.#do = doAll;
    this.#options = options;
  }

  /**
   * Resolved when it is committed; undefined if it was not done. One with a claim is not tried by
   * itself: undefined is all that is told of it then.
   */
  async write(write: Each): Promise<Done | undefined> {
    const { accountId, characters } = write;
    const { promise, resolve, reject } = Promise.withResolvers<Done | undefined>();
    const waiting = { write, resolve, reject };
    const queue = this.#queues.get(accountId);
    if (characters > CHARACTERS) this.#doPart([waiting]);
    else if (queue) queue.push(waiting);
    else this.#queues.set(accountId, [waiting]);
    this.#begin();
    return promise;
  }

  /** Begins a group when the requests of this turn of the event loop are in it. */
  #begin(): void {
    if (this.#begins || this.#queues.size === 0) return;
    this.#begins = true;
    setImmediate(() => this.#underWay.enter((end) => void this.#doNext().finally(end)));
  }

  async #doNext(): Promise<void> {
    const { places, holder } = this.#options;
    try {
      await places.run(holder, async () => {
        this.#begins = false;
        const done = this.#doGroup(this.#takeGroup());
        this.#begin();
        await done;
      });
    } catch (error) {
      this.#begins = false;
      for (const { reject } of [...this.#queues.values()].flat()) reject(error);
      this.#queues.clear();
    }
  }

  #takeGroup(): Waiting<Each, Done>[] {
    const group: Waiting<Each, Done>[] = [];
    let characters = 0;
    // What is set again below comes once more, after the others.
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
  async #doGroup(group: readonly Waiting<Each, Done>[]): Promise<void> {
    try {
      const done = await this.#do(group.map(({ write }) => write));
      for (const [index, { resolve }] of group.entries()) resolve(done[index]);
    } catch (error) {
      const parts = partsOf(group);
      const isOfOne = isAboutValues(error) || isRetryable(error);
      const isOfSome = isOfOne || isHeldUp(error);
      if (isOfSome && parts.length > 1) for (const part of parts) this.#doPart(part);
      else
        for (const waiting of group) {
          if (isOfSome && waiting.write.claim) waiting.resolve(undefined);
          else if (isOfOne && group.length > 1) this.#doPart([waiting]);
          else waiting.reject(error);
        }
    }
  }

  #doPart(part: readonly Waiting<Each, Done>[]): void {
    this.#options.places
      .run(part[0]!.write.accountId, () => this.#doGroup(part))
      .catch((error: unknown) => {
        for (const { reject } of part) reject(error);
      });
  }
}

/**
 * What to try apart when nothing of a group was done because of one write in it: its account or
 * project is being deleted, say, or its key is being claimed elsewhere.
 */
function partsOf<Each extends Write, Done>(
  group: readonly Waiting<Each, Done>[],
): Waiting<Each, Done>[][] {
  const parts = Map.groupBy(
    group,
    ({ write: { accountId, claim } }) => `${accountId} ${claim === undefined}`,
  );
  return [...parts.values()];
}
