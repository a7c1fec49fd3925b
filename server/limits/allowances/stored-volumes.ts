import type { Kysely } from 'kysely';
import { DAY_MS } from '#contract/durations.ts';
import { addDailyUsage, type StoredBytes } from '#db/queries/daily-usage.ts';
import type { Database } from '#db/schema.ts';
import type { Allowances } from './allowances.ts';
import { today } from './waiting.ts';

const RECONCILE_MS = 1_000;
const NOTHING: StoredBytes = { metrics: 0, responses: 0 };

/** Volumes that accounts have stored on a day: what the database knows of all servers, and what it was not told yet. */
class Day {
  readonly date = today();
  readonly number = dayNumber();
  readonly told = new Map<string, StoredBytes>();
  readonly untold = new Map<string, StoredBytes>();
}

/**
 * Counts the bytes that each account stores in a day (UTC), so that one account cannot fill the disk
 * for others. Requests count in memory; once a second, one statement exchanges all counts with the
 * database. So an account can exceed its allowance by what it stores in a second on each server.
 */
export class StoredVolumes {
  readonly #db: Kysely<Database>;
  readonly #limits: StoredBytes;
  readonly #onError: (error: unknown) => void;
  #day = new Day();
  #timer: NodeJS.Timeout | undefined;
  #reconciled: Promise<void> = Promise.resolve();

  constructor(
    db: Kysely<Database>,
    { metricBytesPerDay, answerBytes }: Pick<Allowances, 'metricBytesPerDay' | 'answerBytes'>,
    onError: (error: unknown) => void,
  ) {
    this.#db = db;
    this.#limits = { metrics: metricBytesPerDay, responses: answerBytes };
    this.#onError = onError;
  }

  /** Whether an account may store more of something today. */
  hasRoom(accountId: string, kind: keyof StoredBytes): boolean {
    const { told, untold } = this.#today();
    const stored = (told.get(accountId)?.[kind] ?? 0) + (untold.get(accountId)?.[kind] ?? 0);
    return this.#limits[kind] === 0 || stored < this.#limits[kind];
  }

  /** Counts what an account stores or, as a negative number, what it did not store after all. */
  add(accountId: string, kind: keyof StoredBytes, bytes: number): void {
    add(this.#today().untold, accountId, { ...NOTHING, [kind]: bytes });
    this.#timer ??= setTimeout(() => void this.reconcile(), RECONCILE_MS).unref();
  }

  /** Tells the database what it was not told yet, and learns what it knows. */
  reconcile(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const day = this.#day;
    this.#reconciled = this.#reconciled.then(() => this.#tell(day)).catch(this.#onError);
    return this.#reconciled;
  }

  #today(): Day {
    if (this.#day.number !== dayNumber()) {
      void this.reconcile();
      this.#day = new Day();
    }
    return this.#day;
  }

  async #tell({ date, told, untold }: Day): Promise<void> {
    const added = [...untold].map(([accountId, volumes]) => ({ accountId, ...volumes }));
    if (added.length === 0) return;
    untold.clear();
    for (const { accountId, ...volumes } of added) add(told, accountId, volumes);
    try {
      for (const { accountId, ...volumes } of await addDailyUsage(this.#db, date, added))
        told.set(accountId, volumes);
    } catch (error) {
      for (const { accountId, metrics, responses: answers } of added) {
        add(told, accountId, { metrics: -metrics, responses: -answers });
        add(untold, accountId, { metrics, responses: answers });
      }
      throw error;
    }
  }
}

function add(counts: Map<string, StoredBytes>, accountId: string, added: StoredBytes): void {
  const { metrics, responses: answers } = counts.get(accountId) ?? NOTHING;
  counts.set(accountId, { metrics: metrics + added.metrics, responses: answers + added.responses });
}

/** Number of the current day in UTC: quicker than its date, for what asks with every request. */
function dayNumber(): number {
  return Math.floor(Date.now() / DAY_MS);
}
