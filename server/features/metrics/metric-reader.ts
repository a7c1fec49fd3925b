import type { Database } from '#db/connections/handles.ts';
import {
  type MetricField,
  type MetricSlice,
  type MetricSpan,
  aggregateMetrics,
} from '#db/queries/metric-spans.ts';
import type { MetricPosition } from '#db/queries/metrics.ts';
import { isTimeout } from '#db/sql-state.ts';

/** Number of metrics per statement. It adapts to the duration of the statements. */
const INITIAL_SLICE_ROWS = 2_000;
const MIN_SLICE_ROWS = 10;
const MAX_SLICE_ROWS = 20_000;
/**
 * Statements that take longer than SLOW_MS halve the slice; those faster than FAST_MS double it.
 */
const SLOW_MS = 1_000;
const FAST_MS = 200;

export interface MetricSpanQuery {
  projectId: string;
  fields: readonly MetricField[];
  spanSeconds: number;
}

type RunInSlot = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Sums the metrics of a project by time span, incrementally: settled metrics are read only once.
 * The latest metrics are read again each time, because metrics with earlier timestamps may still be
 * committed.
 */
export class MetricReader {
  readonly #query: MetricSpanQuery;
  #settled = new Map<string, MetricSpan>();
  #after: MetricPosition;
  #limit = INITIAL_SLICE_ROWS;

  constructor(query: MetricSpanQuery, firstSpan: number) {
    this.#query = query;
    const since = new Date(firstSpan * query.spanSeconds * 1_000);
    this.#after = { received_at: since.toISOString(), id: '0' };
  }

  /** Returns all spans since `firstSpan`. Each slice waits for its own slot. */
  async read(db: Database, firstSpan: number, runInSlot: RunInSlot): Promise<MetricSpan[]> {
    for (const [key, { spanIndex }] of this.#settled)
      if (spanIndex < firstSpan) this.#settled.delete(key);
    await this.#readSlices(db, runInSlot, true, (spans, last) => {
      for (const span of spans) add(this.#settled, span);
      this.#after = last;
    });
    const allSpans = new Map(this.#settled);
    await this.#readSlices(db, runInSlot, false, (spans) => {
      for (const span of spans) add(allSpans, span);
    });
    return [...allSpans.values()];
  }

  async #readSlices(
    db: Database,
    runInSlot: RunInSlot,
    settledOnly: boolean,
    onSlice: (spans: readonly MetricSpan[], last: MetricPosition) => void,
  ): Promise<void> {
    let after = this.#after;
    for (;;) {
      const limit = this.#limit;
      const query = { ...this.#query, after, settledOnly, limit };
      const slice = await runInSlot(() => this.#readSlice(db, query));
      if (slice === 'timeout') continue;
      const { spans, rowCount, lastPosition } = slice;
      if (!lastPosition) return;
      onSlice(spans, lastPosition);
      after = lastPosition;
      if (rowCount < limit) return;
    }
  }

  async #readSlice(
    db: Database,
    query: Parameters<typeof aggregateMetrics>[1],
  ): Promise<MetricSlice | 'timeout'> {
    const { limit } = query;
    const start = performance.now();
    try {
      const result = await aggregateMetrics(db, query);
      const durationMs = performance.now() - start;
      if (durationMs > SLOW_MS) this.#limit = Math.max(MIN_SLICE_ROWS, Math.floor(limit / 2));
      if (durationMs < FAST_MS) this.#limit = Math.min(MAX_SLICE_ROWS, limit * 2);
      return result;
    } catch (error) {
      // If the statement timed out, perhaps because of large payloads, retry with fewer rows.
      if (!isTimeout(error) || limit === MIN_SLICE_ROWS) throw error;
      this.#limit = Math.max(MIN_SLICE_ROWS, Math.floor(limit / 4));
      return 'timeout';
    }
  }
}

function add(spans: Map<string, MetricSpan>, added: MetricSpan): void {
  const key = `${added.fieldIndex} ${added.spanIndex}`;
  const existing = spans.get(key);
  spans.set(key, existing ? mergeSpans(existing, added) : added);
}

function mergeSpans(a: MetricSpan, b: MetricSpan): MetricSpan {
  return {
    ...a,
    valueCount: a.valueCount + b.valueCount,
    numberCount: a.numberCount + b.numberCount,
    sum: a.sum + b.sum,
    min: pick(Math.min, a.min, b.min),
    max: pick(Math.max, a.max, b.max),
    last: b.last ?? a.last,
    lastAt: b.lastAt ?? a.lastAt,
  };
}

function pick(
  choose: (...values: number[]) => number,
  a: number | null,
  b: number | null,
): number | null {
  return a === null || b === null ? (a ?? b) : choose(a, b);
}
