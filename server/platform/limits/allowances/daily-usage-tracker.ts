import type { FastifyBaseLogger } from 'fastify';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import type { Database } from '#db/connections/handles.ts';
import { addDailyUsage, type StoredBytes } from '#db/queries/daily-usage.ts';
import type { IdempotencyKey } from '#db/queries/idempotency-keys.ts';
import { WriteBehind } from '../write-behind.ts';
import type { Allowances } from './allowances.ts';

const SYNC_INTERVAL_MS = 1_000;
/** Estimated size of a stored response and its index entry, without the key and the body. */
const ROW_OVERHEAD_BYTES = 200;
const ZERO_BYTES: StoredBytes = { metrics: 0, responses: 0 };

interface TrackerOptions {
  allowances: Allowances;
  db: Database;
  log: FastifyBaseLogger;
}

interface Day {
  epochDay: number;
  /** All servers as of the last sync, and this server since then. */
  totals: Map<string, StoredBytes>;
  unsynced: WriteBehind<StoredBytes>;
}

/**
 * Counts the bytes that each account stores per UTC day. Bytes are counted in memory and synced with
 * the database once a second, so an account can exceed its allowance by what it stores in one second
 * on each server.
 */
export class DailyUsageTracker {
  readonly #app: TrackerOptions;
  readonly #limits: StoredBytes;
  #day: Day;
  /** May have bytes that are not synced yet. */
  #previousDay: Day | undefined;

  constructor(app: TrackerOptions) {
    this.#app = app;
    const { metricBytesPerDay, storedResponseByteLimit } = app.allowances;
    this.#limits = { metrics: metricBytesPerDay, responses: storedResponseByteLimit };
    this.#day = this.#startDay();
  }

  isBelowLimit(accountId: string, kind: keyof StoredBytes): boolean {
    const { totals } = this.#utcDay();
    const storedBytes = totals.get(accountId)?.[kind] ?? 0;
    return this.#limits[kind] === 0 || storedBytes < this.#limits[kind];
  }

  /** Returns a function that takes the bytes back from the same day. */
  add(accountId: string, kind: keyof StoredBytes, bytes: number): () => void {
    const { totals, unsynced } = this.#utcDay();
    const count = (added: StoredBytes) => {
      totals.set(accountId, sum(totals.get(accountId), added));
      unsynced.add(accountId, added);
    };
    count({ ...ZERO_BYTES, [kind]: bytes });
    return () => count({ ...ZERO_BYTES, [kind]: -bytes });
  }

  /** Counts a stored response. The key is stored twice: in the table and in its index. */
  addResponse({ accountId, key }: IdempotencyKey, json: string): void {
    this.add(accountId, 'responses', ROW_OVERHEAD_BYTES + 2 * key.length + Buffer.byteLength(json));
  }

  /** Sends unsynced counts to the database and reads the totals of all servers. */
  async flush(): Promise<void> {
    await Promise.all([this.#previousDay?.unsynced.flush(), this.#day.unsynced.flush()]);
  }

  #utcDay(): Day {
    if (this.#day.epochDay !== currentEpochDay()) {
      void this.flush();
      this.#previousDay = this.#day;
      this.#day = this.#startDay();
    }
    return this.#day;
  }

  #startDay(): Day {
    const { db, log } = this.#app;
    const date = utcDay();
    const totals: Day['totals'] = new Map();
    const unsynced = new WriteBehind<StoredBytes>({
      intervalMs: SYNC_INTERVAL_MS,
      merge: sum,
      write: async (entries) => {
        const added = entries.map(([accountId, bytes]) => ({ accountId, ...bytes }));
        for (const { accountId, ...synced } of await addDailyUsage(db, date, added))
          totals.set(accountId, sum(synced, unsynced.get(accountId)));
      },
      onError: (error) => log.error(error),
    });
    return { epochDay: currentEpochDay(), totals, unsynced };
  }
}

function sum(a = ZERO_BYTES, b = ZERO_BYTES): StoredBytes {
  return { metrics: a.metrics + b.metrics, responses: a.responses + b.responses };
}

/** Faster to compute than the date. */
function currentEpochDay(): number {
  return Math.floor(Date.now() / DAY_MS);
}
