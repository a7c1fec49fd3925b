import { LRUCache } from 'lru-cache';
import { type FairQueue, networkQueue } from '../load/fair-queue.ts';
import type { Gate } from '../load/overloaded-error.ts';

/** Within this time a revoked key is refused by every server, also by one that hears nothing. */
export const REFUSED_WITHIN_MS = 1_000;
/** How long an answer is believed. */
const BELIEVED_MS = 800;
const REMEMBERED = 10_000;

type Find<Row> = (id: string) => Promise<Row | undefined>;

export interface BelievedOptions {
  /** Gate of what was not found before. */
  gate: Gate;
  /** How long an answer is believed, in milliseconds. */
  believedMs?: number | undefined;
  /** How long what was not found before waits for its turn, in milliseconds. */
  patienceMs?: number | undefined;
}

interface Answer<Row> {
  row: Row | undefined;
  /** When the database was asked; infinite while it is still to be. */
  askedAt: number;
}

/**
 * What the database knows of keys, or of sessions, asked for each of them at most about once a second,
 * however many use it at once. What was found before is looked up without waiting; the others wait in
 * a queue that is fair between networks, so that strangers cannot crowd out callers.
 */
export class Believed<Row extends object> {
  readonly #find: Find<Row>;
  readonly #believedMs: number;
  /** They are kept when they are no longer believed, as those who need not wait. */
  readonly #found = new LRUCache<string, Answer<Row>>({ max: REMEMBERED });
  readonly #missing = new LRUCache<string, Answer<Row>>({ max: REMEMBERED });
  readonly #underWay = new Map<string, { answer: Answer<Row>; row: ReturnType<Find<Row>> }>();
  /** For what was not found here before. */
  readonly #queue: FairQueue;

  constructor(find: Find<Row>, { gate, believedMs = BELIEVED_MS, patienceMs }: BelievedOptions) {
    this.#find = find;
    this.#queue = networkQueue(gate, patienceMs);
    this.#believedMs = believedMs;
  }

  /** What has an id, at once if the answer is remembered; undefined if there is nothing. */
  get(id: string, network: () => string): Row | undefined | ReturnType<Find<Row>> {
    const answer = this.#found.get(id) ?? this.#missing.get(id);
    if (answer && this.#isBelieved(answer)) return answer.row;
    const underWay = this.#underWay.get(id);
    if (!underWay) return this.#lookUp(id, network);
    if (this.#isBelieved(underWay.answer)) return underWay.row;
    // Its answer is too old for who comes now; the next one is for all who came meanwhile.
    const again = async () => this.get(id, network);
    return underWay.row.then(again, again);
  }

  /** Believes nothing any more of what is concerned or, without an argument, of anything. */
  forget(isConcerned?: (id: string, row: Row) => boolean): void {
    // Their answers may be from before.
    this.#underWay.clear();
    if (!isConcerned) this.#missing.clear();
    for (const [id, answer] of this.#found)
      if (!isConcerned || (answer.row && isConcerned(id, answer.row))) answer.askedAt = -Infinity;
  }

  #isBelieved({ askedAt }: Answer<Row>): boolean {
    return performance.now() - askedAt < this.#believedMs;
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
