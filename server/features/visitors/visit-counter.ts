import type { Kysely } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import { type Device, OTHER_VALUE, type VisitKind } from '#contract/visits.ts';
import { addPageVisits, type PageVisits } from '#db/queries/sites/page-visits.ts';
import type { Database } from '#db/schema.ts';
import { today } from '#server/limits/allowances/waiting.ts';

const FLUSH_INTERVAL_MS = 3_000;
/** Numbers that are held in memory; while the database is away, no more of them. */
const MAX_COUNTS = 20_000;
/** Numbers that one statement writes. */
const BATCH_SIZE = 1_000;

/** Facts of a view that are counted; nothing else of the visitor is kept. */
export interface PageView {
  /** The host alone, or `direct`; undefined for a visitor from this server's own pages. */
  referrer: string | undefined;
  device: Device;
  /** An ISO 3166 code; undefined if no proxy says it. */
  country: string | undefined;
}

/** The numbers of a page on a day, by kind and value. */
type Counts = Map<VisitKind, Map<string, number>>;

/**
 * Counts the views of pages and the clicks on their links, by days in UTC. A request counts in memory
 * alone; every few seconds it is all written down. A server that is killed forgets what it counted
 * since then.
 */
export class VisitCounter {
  readonly #db: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  /** By day and account. */
  #countsByPage = new Map<string, Counts>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  addView(accountId: string, { referrer, device, country }: PageView): void {
    const page = { accountId, day: today() };
    this.#count({ ...page, kind: 'view', value: '', count: 1 });
    this.#count({ ...page, kind: 'device', value: device, count: 1 });
    if (referrer) this.#count({ ...page, kind: 'referrer', value: referrer, count: 1 });
    if (country) this.#count({ ...page, kind: 'country', value: country, count: 1 });
  }

  /** Counts a click on the link to an address. */
  addClick(accountId: string, target: string): void {
    const page = { accountId, day: today() };
    this.#count({ ...page, kind: 'click', value: '', count: 1 });
    this.#count({ ...page, kind: 'link', value: target, count: 1 });
  }

  /** Writes down what was counted. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastFlush = this.#lastFlush.then(() => this.#flush()).catch(this.#onError);
    return this.#lastFlush;
  }

  #count({ accountId, day, kind, value, count }: PageVisits): void {
    const key = `${day} ${accountId}`;
    const counts: Counts = this.#countsByPage.get(key) ?? new Map();
    const values = counts.get(kind) ?? new Map<string, number>();
    const counted = values.has(value) || values.size < LIMITS.visitValues ? value : OTHER_VALUE;
    const known = values.get(counted);
    if (known === undefined) {
      if (this.#size >= MAX_COUNTS) return;
      this.#size += 1;
    }
    values.set(counted, (known ?? 0) + count);
    this.#countsByPage.set(key, counts.set(kind, values));
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async #flush(): Promise<void> {
    const added = [...this.#countsByPage].flatMap(([key, counts]) => rowsOf(key, counts));
    this.#countsByPage = new Map();
    this.#size = 0;
    for (let at = 0; at < added.length; at += BATCH_SIZE)
      try {
        await addPageVisits(this.#db, added.slice(at, at + BATCH_SIZE));
      } catch (error) {
        for (const visits of added.slice(at)) this.#count(visits);
        throw error;
      }
  }
}

function rowsOf(key: string, counts: Counts): PageVisits[] {
  const [day = '', accountId = ''] = key.split(' ');
  return [...counts].flatMap(([kind, values]) =>
    [...values].map(([value, count]) => ({ accountId, kind, day, value, count })),
  );
}
