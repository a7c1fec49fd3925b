import { LRUCache } from 'lru-cache';
import type { StoredKey } from '../../../db/queries/api-keys.ts';
import type { Revocation } from '../../../db/revocations.ts';
import { fewAtATime } from '../few-at-a-time.ts';

/** Within this time a revoked key is refused by every server, also by one that hears nothing. */
export const REFUSED_WITHIN_MS = 1_000;
/** How long an answer is believed. */
const BELIEVED_MS = 800;
const REMEMBERED_KEYS = 10_000;

type Find = (id: string) => Promise<StoredKey | undefined>;

interface Answer {
  key: StoredKey | undefined;
  /** When the database was asked; infinite while it is still to be. */
  askedAt: number;
}

/**
 * What the database knows of keys, asked for each of them at most about once a second, however many
 * use it at once. A key that was found before is looked up without waiting; the others wait for
 * each other, so that strangers cannot crowd out callers.
 */
export class StoredKeys {
  readonly #find: Find;
  readonly #believedMs: number;
  /** They are kept when they are no longer believed, as those who need not wait. */
  readonly #found = new LRUCache<string, Answer>({ max: REMEMBERED_KEYS });
  readonly #missing = new LRUCache<string, Answer>({ max: REMEMBERED_KEYS });
  readonly #underWay = new Map<string, { answer: Answer; key: ReturnType<Find> }>();
  /** For keys that were not found here before. */
  readonly #inTurn = fewAtATime('new keys');

  constructor(find: Find, { believedMs = BELIEVED_MS }: { believedMs?: number | undefined } = {}) {
    this.#find = find;
    this.#believedMs = believedMs;
  }

  /** The key with an id, at once if the answer is remembered; undefined if there is none. */
  get(id: string): StoredKey | undefined | ReturnType<Find> {
    const answer = this.#found.get(id) ?? this.#missing.get(id);
    if (answer && this.#isBelieved(answer)) return answer.key;
    const underWay = this.#underWay.get(id);
    if (!underWay) return this.#lookUp(id);
    if (this.#isBelieved(underWay.answer)) return underWay.key;
    // Its answer is too old for who comes now; the next one is for all who came meanwhile.
    const again = async () => this.get(id);
    return underWay.key.then(again, again);
  }

  /** Believes nothing any more of a key, of the keys of an account or, without an argument, of all keys. */
  forget(revoked?: Revocation): void {
    // Their answers may be from before.
    this.#underWay.clear();
    if (!revoked) this.#missing.clear();
    for (const [id, answer] of this.#found)
      if (!revoked || revoked.id === (revoked.kind === 'key' ? id : answer.key?.account_id))
        answer.askedAt = -Infinity;
  }

  #isBelieved({ askedAt }: Answer): boolean {
    return performance.now() - askedAt < this.#believedMs;
  }

  #lookUp(id: string): ReturnType<Find> {
    const answer: Answer = { key: undefined, askedAt: Infinity };
    const isCurrent = () => this.#underWay.get(id)?.answer === answer;
    const ask = async () => {
      answer.askedAt = performance.now();
      answer.key = await this.#find(id);
      if (isCurrent()) this.#remember(id, answer);
      return answer.key;
    };
    const key = (this.#found.has(id) ? ask() : this.#inTurn(ask)).finally(() => {
      if (isCurrent()) this.#underWay.delete(id);
    });
    this.#underWay.set(id, { answer, key });
    return key;
  }

  #remember(id: string, answer: Answer): void {
    if (answer.key) {
      this.#found.set(id, answer);
      this.#missing.delete(id);
    } else {
      this.#found.delete(id);
      this.#missing.set(id, answer);
    }
  }
}
