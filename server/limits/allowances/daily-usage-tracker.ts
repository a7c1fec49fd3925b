import { DAY_MS } from '#contract/durations.ts';
import { addDailyUsage, type StoredBytes } from '#db/queries/daily-usage.ts';
import type { App } from '#server/app.ts';
import { today } from '#server/utc-date.ts';

const SYNC_INTERVAL_MS = 1_000;
const ZERO_BYTES: StoredBytes = { metrics: 0, responses: 0 };

class DayCounts {
  readonly date = today();
  readonly epochDay = currentEpochDay();
  /** Totals of all servers. */
  readonly synced = new Map<string, StoredBytes>();
  /** Not sent to the database yet. */
  readonly unsynced = new Map<string, StoredBytes>();
}

/**
 * Counts the bytes that each account stores per UTC day. Bytes are counted in memory and synced with
 * the database once a second, so an account can exceed its allowance by what it stores in one second
 * on each server.
 */
export class DailyUsageTracker {
  readonly #app: Pick<App, 'allowances' | 'db' | 'log'>;
  readonly #limits: StoredBytes;
  #day = new DayCounts();
  #timer: NodeJS.Timeout | undefined;
  #lastSync: Promise<void> = Promise.resolve();

  constructor(app: Pick<App, 'allowances' | 'db' | 'log'>) {
    this.#app = app;
    const { metricBytesPerDay, storedResponseByteLimit } = app.allowances;
    this.#limits = { metrics: metricBytesPerDay, responses: storedResponseByteLimit };
  }

  isBelowLimit(accountId: string, kind: keyof StoredBytes): boolean {
    const { synced, unsynced } = this.#today();
    const storedBytes =
      (synced.get(accountId)?.[kind] ?? 0) + (unsynced.get(accountId)?.[kind] ?? 0);
    return this.#limits[kind] === 0 || storedBytes < this.#limits[kind];
  }

  add(accountId: string, kind: keyof StoredBytes, bytes: number): void {
    add(this.#today().unsynced, accountId, { ...ZERO_BYTES, [kind]: bytes });
    this.#timer ??= setTimeout(() => void this.flush(), SYNC_INTERVAL_MS).unref();
  }

  /** Sends unsynced counts to the database and reads the totals of all servers. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const day = this.#day;
    this.#lastSync = this.#lastSync
      .then(() => this.#sync(day))
      .catch((error: unknown) => this.#app.log.error(error));
    return this.#lastSync;
  }

  #today(): DayCounts {
    if (this.#day.epochDay !== currentEpochDay()) {
      void this.flush();
      this.#day = new DayCounts();
    }
    return this.#day;
  }

  async #sync({ date, synced, unsynced }: DayCounts): Promise<void> {
    const added = [...unsynced].map(([accountId, bytes]) => ({ accountId, ...bytes }));
    if (added.length === 0) return;
    unsynced.clear();
    for (const { accountId, ...bytes } of added) add(synced, accountId, bytes);
    try {
      for (const { accountId, ...bytes } of await addDailyUsage(this.#app.db, date, added))
        synced.set(accountId, bytes);
    } catch (error) {
      for (const { accountId, metrics, responses } of added) {
        add(synced, accountId, { metrics: -metrics, responses: -responses });
        add(unsynced, accountId, { metrics, responses });
      }
      throw error;
    }
  }
}

function add(counts: Map<string, StoredBytes>, accountId: string, added: StoredBytes): void {
  const { metrics, responses } = counts.get(accountId) ?? ZERO_BYTES;
  counts.set(accountId, {
    metrics: metrics + added.metrics,
    responses: responses + added.responses,
  });
}

/** Faster to compute than the date. */
function currentEpochDay(): number {
  return Math.floor(Date.now() / DAY_MS);
}
