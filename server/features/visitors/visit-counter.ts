import { utcDay } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { type Device, OTHER_VALUE, type VisitKind } from '#contract/shared/visits.ts';
import type { Database } from '#db/connections/handles.ts';
import { addPageVisits, type VisitCount } from '#db/queries/page-visits.ts';
import { WriteBehind } from '#server/platform/limits/write-behind.ts';

const FLUSH_INTERVAL_MS = 3_000;
const MAX_COUNTS = 20_000;

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
  /** Normalized tags of the address; undefined if it has none. */
  source?: string | undefined;
  campaign?: string | undefined;
}

/**
 * Counts views and clicks per page and day (UTC) in memory, and stores them every few seconds. A
 * server that is killed loses the counts since the last write.
 */
export class VisitCounter {
  /** Keys are "<day> <account> <kind> <value>". */
  readonly #counts: WriteBehind<number>;
  /** Number of values in memory by "<day> <account> <kind> ". */
  readonly #valueCounts = new Map<string, number>();

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#counts = new WriteBehind({
      intervalMs: FLUSH_INTERVAL_MS,
      write: async (entries) => {
        this.#valueCounts.clear();
        await addPageVisits(db, entries.map(toVisitCount));
      },
      merge: (earlier, added) => earlier + added,
      onError,
      maxKeys: MAX_COUNTS,
    });
  }

  addView(accountId: string, view: PageView): void {
    this.#increment(accountId, 'view', '');
    for (const kind of ['device', 'referrer', 'country', 'source', 'campaign'] as const)
      if (view[kind]) this.#increment(accountId, kind, view[kind]);
  }

  addClick(accountId: string, target: string): void {
    this.#increment(accountId, 'click', '');
    this.#increment(accountId, 'link', target);
  }

  flush(): Promise<void> {
    return this.#counts.flush();
  }

  #increment(accountId: string, kind: VisitKind, value: string): void {
    const list = `${utcDay()} ${accountId} ${kind} `;
    if (this.#counts.get(list + value) === undefined) {
      const valueCount = this.#valueCounts.get(list) ?? 0;
      if (valueCount >= LIMITS.visitValues) return this.#counts.add(list + OTHER_VALUE, 1);
      this.#valueCounts.set(list, valueCount + 1);
    }
    this.#counts.add(list + value, 1);
  }
}

function toVisitCount([key, count]: [key: string, count: number]): VisitCount {
  const [day, accountId, kind, ...words] = key.split(' ') as [
    string,
    string,
    VisitKind,
    ...string[],
  ];
  return { accountId, kind, day, value: words.join(' '), count };
}
