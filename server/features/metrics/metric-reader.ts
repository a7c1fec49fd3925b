import type { Kysely } from 'kysely';
import {
  type MetricField,
  type MetricSlice,
  type MetricSpan,
  sumUpMetrics,
} from '#db/queries/metrics/metric-spans.ts';
import type { MetricPosition } from '#db/queries/metrics/metrics.ts';
import type { Database } from '#db/schema.ts';
import { isTimeout } from '#db/sql-state.ts';

/** Metrics per statement. Adapts to the duration of statements. */
const INITIAL_SLICE_ROWS = 2_000;
const MIN_SLICE_ROWS = 10;
const MAX_SLICE_ROWS = 20_000;
/** Slower statements halve the slice, faster ones double it. */
const SLOW_MS = 1_000;
const FAST_MS = 200;

export interface MetricReading {
  projectId: string;
  fields: readonly MetricField[];
  spanSeconds: number;
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Sums the metrics of a project by time span, incrementally: settled metrics are read only once. The latest
 * metrics are read again each time, because metrics with earlier timestamps may still be committed.
 */
export class MetricReader {
  readonly #reading: MetricReading;
  #settled = new Map<string, MetricSpan>();
  #after: MetricPosition;
  #limit = INITIAL_SLICE_ROWS;

  constructor(reading: MetricReading, firstSpan: number) {
    this.#reading = reading;
    const since = new Date(firstSpan * reading.spanSeconds * 1_000);
    this.#after = { received_at: since.toISOString(), id: '0' };
  }

  /** Returns all spans since `firstSpan`. Each slice waits for its own slot. */
  async read(db: Kysely<Database>, firstSpan: number, inTurn: InTurn): Promise<MetricSpan[]> {
    for (const [key, { span }] of this.#settled) if (span < firstSpan) this.#settled.delete(key);
    await this.#readOn(db, inTurn, true, (spans, last) => {
      for (const span of spans) add(this.#settled, span);
      this.#after = last;
    });
    const all = new Map(this.#settled);
    await this.#readOn(db, inTurn, false, (spans) => {
      for (const span of spans) add(all, span);
    });
    return [...all.values()];
  }

  async #readOn(
    db: Kysely<Database>,
    inTurn: InTurn,
    settled: boolean,
    take: (spans: readonly MetricSpan[], last: MetricPosition) => void,
  ): Promise<void> {
    let after = this.#after;
    for (;;) {
      const limit = this.#limit;
      const slice = { ...this.#reading, after, settled, limit };
      const read = await inTurn(() => this.#readSlice(db, slice));
      if (read === 'too many') continue;
      const { spans, rows, last } = read;
      if (!last) return;
      take(spans, last);
      after = last;
      if (rows < limit) return;
    }
  }

  async #readSlice(
    db: Kysely<Database>,
    slice: Parameters<typeof sumUpMetrics>[1],
  ): Promise<MetricSlice | 'too many'> {
    const { limit } = slice;
    const start = performance.now();
    try {
      const read = await sumUpMetrics(db, slice);
      const took = performance.now() - start;
      if (took > SLOW_MS) this.#limit = Math.max(MIN_SLICE_ROWS, Math.floor(limit / 2));
      if (took < FAST_MS) this.#limit = Math.min(MAX_SLICE_ROWS, limit * 2);
      return read;
    } catch (error) {
      // The statement timed out, perhaps because of large payloads: retry with fewer rows.
      if (!isTimeout(error) || limit === MIN_SLICE_ROWS) throw error;
      this.#limit = Math.max(MIN_SLICE_ROWS, Math.floor(limit / 4));
      return 'too many';
    }
  }
}

function add(spans: Map<string, MetricSpan>, added: MetricSpan): void {
  const key = `${added.field} ${added.span}`;
  const known = spans.get(key);
  spans.set(key, known ? mergeSpans(known, added) : added);
}

function mergeSpans(one: MetricSpan, next: MetricSpan): MetricSpan {
  return {
    ...one,
    present: one.present + next.present,
    numbers: one.numbers + next.numbers,
    sum: one.sum + next.sum,
    min: minOf([one.min, next.min]),
    max: maxOf([one.max, next.max]),
    last: next.last ?? one.last,
  };
}

function minOf(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? Math.min(...known) : null;
}

function maxOf(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? Math.max(...known) : null;
}
