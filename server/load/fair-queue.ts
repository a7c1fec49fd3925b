import type { Kysely } from 'kysely';
import { PoolExhaustedError } from '../../db/connections/postgres.ts';
import type { Database } from '../../db/schema.ts';
import { withConnections } from '../../db/connections/with-connections.ts';

export interface FairQueueOptions {
  places: number;
  /** Places that one account has at most while others wait. */
  share: number;
  /** While nobody else waits, but others were there a moment ago. */
  besideOthers: number;
  /** While nobody else was there for a while. */
  alone: number;
  /** How many may wait, of all accounts together. */
  maxWaiting: number;
  /** How long one may wait. */
  patienceMs: number;
}

/** For so long an account that asked for a place is expected to ask again. */
const PRESENT_MS = 60_000;

interface Waiter {
  begin: () => void;
  giveUp: (reason: string) => void;
}

/** An account that has places or waits for one. */
interface Holder {
  readonly account: string;
  held: number;
  readonly waiting: Waiter[];
}

/**
 * Places that accounts share. While others wait, an account gets only so many; what it asks for
 * beyond them waits in a queue of its own, and the queues are served in turn. When all the room for
 * waiting is taken, the last of the longest queue gives way. A place cannot be taken back, so some
 * are left free as long as others are expected.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #holders = new Map<string, Holder>();
  /** Those that wait, the one whose turn is next first. */
  readonly #turns = new Set<Holder>();
  /** Who asked last, and since when nobody else did. */
  #last: { account: string; since: number } | undefined;
  #taken = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether an account has a place or waits for one. */
  isBusy(account: string): boolean {
    return this.#holders.has(account);
  }

  /** A database whose connections are the account's: each takes a place as long as it is used. */
  of(account: string, db: Kysely<Database>): Kysely<Database> {
    const executor = db.getExecutor();
    return withConnections(db, {
      provideConnection: (consumer, options) =>
        this.run(account, () => executor.provideConnection(consumer, options)),
    });
  }

  /** Does something in one of the places, when the account has its turn. */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    let holder = this.#holders.get(account);
    if (!holder) this.#holders.set(account, (holder = { account, held: 0, waiting: [] }));
    if (account !== this.#last?.account)
      this.#last = { account, since: this.#last ? performance.now() : -Infinity };
    if (holder.waiting.length === 0 && this.#mayBegin(holder)) this.#take(holder);
    else await this.#wait(holder);
    try {
      return await work();
    } finally {
      holder.held -= 1;
      this.#taken -= 1;
      this.#forget(holder);
      this.#serve();
    }
  }

  #mayBegin(holder: Holder): boolean {
    if (this.#taken >= this.#options.places) return false;
    return holder.held < this.#limit(holder);
  }

  #limit(holder: Holder): number {
    const { share, besideOthers, alone } = this.#options;
    if (holder.held < share) return share;
    const othersWait = this.#turns.size > (this.#turns.has(holder) ? 1 : 0);
    if (othersWait) return share;
    const { account, since } = this.#last!;
    const isAlone = account === holder.account && performance.now() - since > PRESENT_MS;
    return isAlone ? alone : besideOthers;
  }

  #take(holder: Holder): void {
    holder.held += 1;
    this.#taken += 1;
  }

  /** Until the place is taken. */
  #wait(holder: Holder): Promise<void> {
    this.#makeRoom(holder);
    return new Promise((resolve, reject) => {
      const giveUp = (reason: string) => {
        leave();
        this.#forget(holder);
        reject(new PoolExhaustedError(reason));
      };
      const timer = setTimeout(() => {
        giveUp('waited too long');
        this.#serve();
      }, this.#options.patienceMs);
      const leave = () => {
        clearTimeout(timer);
        this.#waiting -= 1;
        holder.waiting.splice(holder.waiting.indexOf(waiter), 1);
        if (holder.waiting.length === 0) this.#turns.delete(holder);
      };
      const begin = () => {
        leave();
        this.#take(holder);
        // The others are next.
        if (this.#turns.delete(holder)) this.#turns.add(holder);
        resolve();
      };
      const waiter = { begin, giveUp };
      holder.waiting.push(waiter);
      this.#turns.add(holder);
      this.#waiting += 1;
    });
  }

  #makeRoom(holder: Holder): void {
    if (this.#waiting < this.#options.maxWaiting) return;
    let longest = holder;
    for (const other of this.#turns)
      if (other.waiting.length > longest.waiting.length) longest = other;
    if (longest.waiting.length > holder.waiting.length + 1)
      return longest.waiting.at(-1)!.giveUp('others have fewer that wait');
    this.#forget(holder);
    throw new PoolExhaustedError('too many wait');
  }

  #serve(): void {
    for (let next = this.#next(); next; next = this.#next()) next.waiting[0]!.begin();
  }

  #next(): Holder | undefined {
    for (const holder of this.#turns) if (this.#mayBegin(holder)) return holder;
    return undefined;
  }

  #forget(holder: Holder): void {
    if (holder.held === 0 && holder.waiting.length === 0) this.#holders.delete(holder.account);
  }
}
