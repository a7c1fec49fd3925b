import { LRUCache } from 'lru-cache';
import { type FairQueue, networkQueue } from '../load/fair-queue.ts';
import type { Gate } from '../load/overloaded-error.ts';

/** Time within which every server refuses a revoked key, also one that gets no notification, in milliseconds. */
export const REFUSED_WITHIN_MS = 1_000;
/** Time for which an answer of the database is reused, in milliseconds. */
const CACHE_MS = 800;
const REMEMBERED = 10_000;

type Find<Row> = (id: string) => Promise<Row | undefined>;

export interface AccessCacheOptions {
  /** Gate of what was not found before. */
  gate: Gate;
  /** Time for which an answer of the database is reused, in milliseconds. */
  cacheMs?: number | undefined;
  /** How long what was not found before waits for its turn, in milliseconds. */
  patienceMs?: number | undefined;
}

interface Answer<Row> {
  row: Row | undefined;
  /** When the database was asked; infinite while it is still to be. */
  askedAt: number;
}

/**
 * Cache of keys or sessions. The database is asked for each of them at most about once a second,
 * however many requests use it. What was found before is looked up without waiting; the others wait in
 * a queue that is fair between networks, so that strangers cannot crowd out callers.
 */
export class AccessCache<Row extends object> {
  readonly #find: Find<Row>;
  readonly #cacheMs: number;
  /** Kept when they are too old: those ids need not wait. */
  readonly #found = new LRUCache<string, Answer<Row>>({ max: REMEMBERED });
  readonly #missing = new LRUCache<string, Answer<Row>>({ max: REMEMBERED });
  readonly #underWay = new Map<string, { answer: Answer<Row>; row: ReturnType<Find<Row>> }>();
  /** For what was not found here before. */
  readonly #queue: FairQueue;

  constructor(find: Find<Row>, { gate, cacheMs = CACHE_MS, patienceMs }: AccessCacheOptions) {
    this.#find = find;
    this.#queue = networkQueue(gate, patienceMs);
    this.#cacheMs = cacheMs;
  }

  /** Returns the row of an id, at once if the answer is remembered; undefined if there is nothing. */
  get(id: string, network: () => string): Row | undefined | ReturnType<Find<Row>> {
    const answer = this.#found.get(id) ?? this.#missing.get(id);
    if (answer && this.#isFresh(answer)) return answer.row;
    const underWay = this.#underWay.get(id);
    if (!underWay) return this.#lookUp(id, network);
    if (this.#isFresh(underWay.answer)) return underWay.row;
    // Its answer is too old for who comes now; the next one is for all who came meanwhile.
    const again = async () => this.get(id, network);
    return underWay.row.then(again, again);
  }

  /** Drops the entries that are concerned or, without an argument, all of them. */
  forget(isConcerned?: (id: string, row: Row) => boolean): void {
    // Their answers may be from before.
    this.#underWay.clear();
    if (!isConcerned) this.#missing.clear();
    for (const [id, answer] of this.#found)
      if (!isConcerned || (answer.row && isConcerned(id, answer.row))) answer.askedAt = -Infinity;
  }

  #isFresh({ askedAt }: Answer<Row>): boolean {
    return performance.now() - askedAt < this.#cacheMs;
  }

  #lookUp(id: string, network: () => string): ReturnType<Find<Row>> {
    const answer: Answer<Row> = { row: undefined, askedAt: Infinity };
    const isCurrent = () => this.#underWay.get(id)?.answer === answer;
    const ask = async () => {
      answer.askedAt = performance.now();
      answer.row = await this.#find(id);
      if (isCurrent()) this.#remember(id, answer);
      return answer.row;
    };
    const found = this.#found.has(id) ? ask() : this.#queue.run(network(), ask);
    const row = found.finally(() => {
      if (isCurrent()) this.#underWay.delete(id);
    });
    this.#underWay.set(id, { answer, row });
    return row;
  }

  #remember(id: string, answer: Answer<Row>): void {
    if (answer.row) {
      this.#found.set(id, answer);
      this.#missing.delete(id);
    } else {
      this.#found.delete(id);
      this.#missing.set(id, answer);
    }
  }
}
