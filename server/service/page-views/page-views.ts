import type { Kysely } from 'kysely';
import { addPageViews } from '../../../db/queries/sites/page-views.ts';
import type { Database } from '../../../db/schema.ts';
import { today } from '../allowances/waiting.ts';

const WRITE_MS = 3_000;
/** Pages that are counted at once; while the database is away, no more of them. */
const MAX_PAGES = 10_000;

/**
 * Counts how often the pages of accounts are opened, by days in UTC. A request counts in memory alone;
 * every few seconds one statement writes it all down. A server that is killed forgets what it counted
 * since then.
 */
export class PageViews {
  readonly #db: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  /** By day, then by account. */
  #counts = new Map<string, Map<string, number>>();
  #pages = 0;
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  add(accountId: string): void {
    this.#count(today(), accountId, 1);
  }

  /** Writes down what was counted. */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#written.then(() => this.#write()).catch(this.#onError);
    return this.#written;
  }

  #count(day: string, accountId: string, views: number): void {
    const counts = this.#counts.get(day) ?? new Map<string, number>();
    const known = counts.get(accountId);
    if (known === undefined) {
      if (this.#pages >= MAX_PAGES) return;
      this.#pages += 1;
    }
    counts.set(accountId, (known ?? 0) + views);
    this.#counts.set(day, counts);
    this.#timer ??= setTimeout(() => void this.write(), WRITE_MS).unref();
  }

  async #write(): Promise<void> {
    const added = [...this.#counts].flatMap(([day, counts]) =>
      [...counts].map(([accountId, views]) => ({ accountId, day, views })),
    );
    if (added.length === 0) return;
    this.#counts = new Map();
    this.#pages = 0;
    try {
      await addPageViews(this.#db, added);
    } catch (error) {
      for (const { accountId, day, views } of added) this.#count(day, accountId, views);
      throw error;
    }
  }
}
