import type { Kysely } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import { type Device, OTHER_VALUE, type VisitKind } from '#contract/visits.ts';
import { addPageVisits, type VisitCount } from '#db/queries/sites/page-visits.ts';
import type { Database } from '#db/schema.ts';
import { today } from '#server/utc-date.ts';

const FLUSH_INTERVAL_MS = 3_000;
/**
 * Maximum number of counts in memory. At the limit, for example while the database is unavailable,
 * existing counts still grow but no new ones are added.
 */
const MAX_COUNTS = 20_000;
const BATCH_SIZE = 1_000;

/** Nothing else about a visitor is stored. */
export interface PageView {
  /**
   * Host name or a placeholder such as `direct`; undefined if the visitor followed a link on the
   * same host.
   */
  referrer: string | undefined;
  device: Device;
  /** ISO 3166 country code; undefined if no proxy sends one. */
  country: string | undefined;
}

type Counts = Map<VisitKind, Map<string, number>>;

/**
 * Counts views and clicks per page and day (UTC) in memory, and stores them every few seconds. A
 * server that is killed loses the counts since the last write.
 */
export class VisitCounter {
  readonly #db: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  /** Keys are "<day> <account>". */
  #countsByPage = new Map<string, Counts>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  addView(accountId: string, { referrer, device, country }: PageView): void {
    const pageDay = { accountId, day: today() };
    this.#increment({ ...pageDay, kind: 'view', value: '', count: 1 });
    this.#increment({ ...pageDay, kind: 'device', value: device, count: 1 });
    if (referrer) this.#increment({ ...pageDay, kind: 'referrer', value: referrer, count: 1 });
    if (country) this.#increment({ ...pageDay, kind: 'country', value: country, count: 1 });
  }

  addClick(accountId: string, target: string): void {
    const pageDay = { accountId, day: today() };
    this.#increment({ ...pageDay, kind: 'click', value: '', count: 1 });
    this.#increment({ ...pageDay, kind: 'link', value: target, count: 1 });
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastFlush = this.#lastFlush.then(() => this.#flush()).catch(this.#onError);
    return this.#lastFlush;
  }

  #increment({ accountId, day, kind, value, count }: VisitCount): void {
    const key = `${day} ${accountId}`;
    const counts: Counts = this.#countsByPage.get(key) ?? new Map();
    const values = counts.get(kind) ?? new Map<string, number>();
    const countedValue =
      values.has(value) || values.size < LIMITS.visitValues ? value : OTHER_VALUE;
    const previousCount = values.get(countedValue);
    if (previousCount === undefined) {
      if (this.#size >= MAX_COUNTS) return;
      this.#size += 1;
    }
    values.set(countedValue, (previousCount ?? 0) + count);
    this.#countsByPage.set(key, counts.set(kind, values));
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async #flush(): Promise<void> {
    const rows = [...this.#countsByPage].flatMap(([key, counts]) => toRows(key, counts));
    this.#countsByPage = new Map();
    this.#size = 0;
    for (let offset = 0; offset < rows.length; offset += BATCH_SIZE)
      try {
        await addPageVisits(this.#db, rows.slice(offset, offset + BATCH_SIZE));
      } catch (error) {
        for (const visits of rows.slice(offset)) this.#increment(visits);
        throw error;
      }
  }
}

function toRows(key: string, counts: Counts): VisitCount[] {
  const [day = '', accountId = ''] = key.split(' ');
  return [...counts].flatMap(([kind, values]) =>
    [...values].map(([value, count]) => ({ accountId, kind, day, value, count })),
  );
}
