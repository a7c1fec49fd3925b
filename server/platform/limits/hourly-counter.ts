import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '#contract/shared/durations.ts';
import type { Executor } from '#db/connections/handles.ts';
import { onRollback } from '#db/connections/transaction.ts';
import { upToEntries } from './up-to-entries.ts';

/** Counts by key, for example an account. A count is reset an hour after it started. */
export class HourlyCounter {
  readonly #counts = new LRUCache<string, number>({
    ...upToEntries(10_000),
    ttl: HOUR_MS,
    noUpdateTTL: true,
  });

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** A negative amount takes back an earlier one, as does a rollback of the transaction `db`. */
  add(key: string, amount = 1, db?: Executor): void {
    this.#counts.set(key, Math.max(0, this.get(key) + amount));
    if (db) onRollback(db, () => this.add(key, -amount));
  }

  /** Adds only up to the limit. Above it, returns the milliseconds until the reset. */
  addWithin(limit: number, key: string, amount = 1, db?: Executor): number | undefined {
    if (this.get(key) + amount > limit) return this.#counts.getRemainingTTL(key);
    this.add(key, amount, db);
    return undefined;
  }
}
