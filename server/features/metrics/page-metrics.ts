import { once } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { MetricSpan } from '#db/queries/metric-spans.ts';
import { findOwnProjects } from '#db/queries/projects.ts';
import type { PageMetric, PageMetricQuery } from '#page/page-metric.ts';
import type { Core } from '#server/core.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import {
  computePageMetric,
  firstComparisonSpanIndex,
  spanSecondsOf,
} from './compute-page-metric.ts';
import { MetricReader } from './metric-reader.ts';

/** A number may be at most a minute old. The remaining ten seconds are for reading it. */
const CACHE_TTL_MS = 50_000;
/** Retry delays for numbers that could not be read, or whose read is in flight. */
const FAILURE_RETRY_MS = 10_000;
const IN_FLIGHT_RETRY_MS = 1_000;
const WAIT_TIMEOUT_MS = 250;
/** Previews wait longer, because they are rendered again only after the next change. */
const PREVIEW_WAIT_TIMEOUT_MS = 5_000;
const STATEMENT_WAIT_TIMEOUT_MS = 60_000;
/** About 100 bytes each. */
const MAX_SPANS = 200_000;

/** Cached spans of a project, shared by all pages that need the same paths, span length and days. */
interface CachedSpans {
  reader: MetricReader;
  spans: readonly MetricSpan[] | undefined;
  expiresAt: number;
}

interface QueryGroup {
  days: number;
  cached: CachedSpans;
  /** `fieldIndex` identifies the spans of the query's path. */
  queries: { id: string; query: PageMetricQuery; fieldIndex: number }[];
}

/**
 * Computes page metrics from metrics and caches them for up to a minute. Pages wait only briefly
 * for new numbers, then show the cached ones.
 */
export class PageMetrics {
  readonly #app: Pick<Core, 'log' | 'pageReadDb' | 'queues'>;
  readonly #cache = new LRUCache<string, CachedSpans>({ maxSize: MAX_SPANS });
  readonly #inFlightReads = new Map<string, Promise<void>>();
  /** Leaves connections to the metric queries of owners. An account has one statement at a time. */
  readonly #statements = new FairQueue({
    gate: 'metric-reads',
    maxRunning: 2,
    maxWaiting: 1_000,
    waitTimeoutMs: STATEMENT_WAIT_TIMEOUT_MS,
  });
  #closed = false;

  constructor(app: Pick<Core, 'log' | 'pageReadDb' | 'queues'>) {
    this.#app = app;
  }

  /** Returns only numbers of the account's own projects. They are valid until `until`. */
  async find(
    accountId: string,
    queries: ReadonlyMap<string, PageMetricQuery>,
    { isPreview = false } = {},
  ): Promise<{ pageMetrics: Map<string, PageMetric>; until: Date | undefined }> {
    const pageMetrics = new Map<string, PageMetric>();
    if (queries.size === 0) return { pageMetrics, until: undefined };
    const ids = [...queries.values()].map(({ projectId }) => projectId);
    const ownProjects = await findOwnProjects(this.#app.pageReadDb, accountId, ids);
    const revisions = new Map(ownProjects.map(({ id, metric_revision }) => [id, metric_revision]));
    const ownQueries = [...queries].filter(([, { projectId }]) => revisions.has(projectId));
    const groups = this.#groupQueries(ownQueries, revisions);
    if (groups.some(isStale))
      await this.#refresh(accountId, groups, isPreview ? PREVIEW_WAIT_TIMEOUT_MS : WAIT_TIMEOUT_MS);
    const now = new Date();
    for (const group of groups)
      for (const { id, query, fieldIndex } of group.queries) {
        const spans = group.cached.spans?.filter((span) => span.fieldIndex === fieldIndex);
        const pageMetric = spans && computePageMetric(query, spans, now);
        if (pageMetric) pageMetrics.set(id, pageMetric);
      }
    const earliestRetry = now.getTime() + IN_FLIGHT_RETRY_MS;
    const until = Math.min(
      now.getTime() + CACHE_TTL_MS,
      ...groups.map(({ cached }) => Math.max(cached.expiresAt, earliestRetry)),
    );
    return { pageMetrics, until: new Date(until) };
  }

  close(): void {
    this.#closed = true;
  }

  /** Waits until no group is stale, or until the timeout. An account has one read at a time. */
  async #refresh(
    accountId: string,
    groups: readonly QueryGroup[],
    timeoutMs: number,
  ): Promise<void> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const timedOut = once(timeout, 'abort');
    while (groups.some(isStale) && !timeout.aborted) {
      const read = this.#inFlightReads.get(accountId) ?? this.#readAll(accountId, groups);
      await Promise.race([read, timedOut]);
    }
  }

  /** Reads one group at a time, so that an account with many projects does not delay others. */
  #readAll(accountId: string, groups: readonly QueryGroup[]): Promise<void> {
    const read = (async () => {
      for (const group of groups) if (isStale(group)) await this.#read(accountId, group);
    })().finally(() => this.#inFlightReads.delete(accountId));
    this.#inFlightReads.set(accountId, read);
    return read;
  }

  async #read(accountId: string, { days, cached }: QueryGroup): Promise<void> {
    const db = this.#app.queues.metricReads.databaseFor('pageMetrics');
    const from = firstComparisonSpanIndex(days, new Date());
    const runInSlot = <T>(work: () => Promise<T>) =>
      this.#statements.run(accountId, () => {
        if (this.#closed) throw new Error('closed');
        return work();
      });
    try {
      cached.spans = await cached.reader.read(db, from, runInSlot);
      cached.expiresAt = Date.now() + CACHE_TTL_MS;
    } catch (error) {
      cached.expiresAt = Date.now() + FAILURE_RETRY_MS;
      if (!this.#closed)
        this.#app.log.error({ err: error }, 'the numbers of a page could not be read');
    }
  }

  /** Queries with the same project and span length share one read. */
  #groupQueries(
    queries: readonly (readonly [string, PageMetricQuery])[],
    revisions: ReadonlyMap<string, string>,
  ): QueryGroup[] {
    const queriesByKey = Map.groupBy(
      queries,
      ([, { projectId, days }]) => `${projectId} ${spanSecondsOf(days)}`,
    );
    return [...queriesByKey.values()].map((group) => this.#createGroup(group, revisions));
  }

  #createGroup(
    queries: readonly (readonly [string, PageMetricQuery])[],
    revisions: ReadonlyMap<string, string>,
  ): QueryGroup {
    const paths = [...new Set(queries.map(([, { path }]) => JSON.stringify(path)))].toSorted();
    const fields = paths.map((json) => ({
      path: JSON.parse(json) as string[],
      needsLast: queries.some(
        ([, { path, aggregate }]) => aggregate === 'last' && JSON.stringify(path) === json,
      ),
    }));
    const days = Math.max(...queries.map(([, query]) => query.days));
    const { projectId } = queries[0]![1];
    const spanQuery = { projectId, fields, spanSeconds: spanSecondsOf(days) };
    // The revision changes when metrics are deleted, which discards the cached sums.
    const key = JSON.stringify([spanQuery, days, revisions.get(projectId)]);
    const firstSpan = firstComparisonSpanIndex(days, new Date());
    const cached = this.#cache.get(key) ?? {
      reader: new MetricReader(spanQuery, firstSpan),
      spans: undefined,
      expiresAt: 0,
    };
    const size = (fields.length * 2 * days * 24 * 3_600) / spanQuery.spanSeconds;
    this.#cache.set(key, cached, { size });
    return {
      days,
      cached,
      queries: queries.map(([id, query]) => ({
        id,
        query,
        fieldIndex: paths.indexOf(JSON.stringify(query.path)),
      })),
    };
  }
}

function isStale({ cached }: QueryGroup): boolean {
  return cached.expiresAt <= Date.now();
}
