import { once } from 'node:events';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { MetricSpan } from '#db/queries/metrics/metric-spans.ts';
import { findOwnProjects } from '#db/queries/projects.ts';
import type { Reads } from '#db/connections/databases.ts';
import type { Database } from '#db/schema.ts';
import type { PageNumber, PageNumberQuery } from '#page/page-number.ts';
import { computePageNumber, firstSpanOf, spanSecondsOf } from './compute-page-number.ts';
import { MetricReader } from './metric-reader.ts';

/** With the time that reading takes, no number is older than a minute. */
const FRESH_MS = 50_000;
/** How soon those that could not be read, or are on their way, are looked at again. */
const FAILED_MS = 10_000;
const ON_THE_WAY_MS = 1_000;
/** Maximum wait of a page for numbers that are being read. */
const PATIENCE_MS = 250;
/** Maximum wait of a preview, which is not asked for again before the next change. */
const PREVIEW_PATIENCE_MS = 5_000;
/** Statements at once. */
const STATEMENTS = 2;
/** Spans that are kept, about a hundred bytes each. */
const MAX_SPANS = 200_000;
/** Accounts whose metrics are being read, or wait for it. */
const MAX_ACCOUNTS = 1_000;

/** Sums that are known of a project, for the queries that are answered by the same spans. */
interface Known {
  reader: MetricReader;
  spans: readonly MetricSpan[] | undefined;
  /** From when on it is to be read again. */
  until: number;
}

interface Group {
  days: number;
  known: Known;
  /** The queries by their ids, and the position of the field of each. */
  queries: { id: string; query: PageNumberQuery; field: number }[];
}

interface PageNumbersOptions {
  reads: Reads;
  /** Where metrics are read: nothing else waits for these connections. */
  metricReads: Kysely<Database>;
  onError: (error: unknown) => void;
}

/**
 * Numbers made of metrics, read once for everybody and kept for a minute. Whoever asks waits a moment
 * at most, a little longer for a preview, and gets those that are known.
 */
export class PageNumbers {
  readonly #options: PageNumbersOptions;
  readonly #known = new LRUCache<string, Known>({ maxSize: MAX_SPANS });
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #inTurn = pLimit(STATEMENTS);
  #closed = false;

  constructor(options: PageNumbersOptions) {
    this.#options = options;
  }

  /** Returns the numbers of the account's own projects by id, and when to ask again. */
  async find(
    accountId: string,
    queries: ReadonlyMap<string, PageNumberQuery>,
    { isPreview = false } = {},
  ): Promise<{ pageNumbers: Map<string, PageNumber>; until: Date | undefined }> {
    const pageNumbers = new Map<string, PageNumber>();
    if (queries.size === 0) return { pageNumbers, until: undefined };
    const ids = [...queries.values()].map(({ projectId }) => projectId);
    const own = await findOwnProjects(this.#options.reads, accountId, ids);
    const revisions = new Map(own.map(({ id, metric_revision }) => [id, metric_revision]));
    const asked = [...queries].filter(([, { projectId }]) => revisions.has(projectId));
    const groups = this.#groupsOf(asked, revisions);
    if (groups.some(isStale))
      await this.#refresh(accountId, groups, isPreview ? PREVIEW_PATIENCE_MS : PATIENCE_MS);
    const now = new Date();
    for (const group of groups)
      for (const { id, query, field } of group.queries) {
        const spans = group.known.spans?.filter((span) => span.field === field);
        const pageNumber = spans && computePageNumber(query, spans, now);
        if (pageNumber) pageNumbers.set(id, pageNumber);
      }
    const soonest = now.getTime() + ON_THE_WAY_MS;
    const until = Math.min(
      now.getTime() + FRESH_MS,
      ...groups.map(({ known }) => Math.max(known.until, soonest)),
    );
    return { pageNumbers, until: new Date(until) };
  }

  /** Reads no more. */
  close(): void {
    this.#closed = true;
  }

  /** Waits until the groups are read, after what the account is already having read, or the time is over. */
  async #refresh(accountId: string, groups: readonly Group[], milliseconds: number): Promise<void> {
    const timeout = AbortSignal.timeout(milliseconds);
    const end = once(timeout, 'abort');
    while (groups.some(isStale) && !timeout.aborted) {
      const underWay = this.#underWay.get(accountId);
      if (!underWay && this.#underWay.size >= MAX_ACCOUNTS) return;
      await Promise.race([underWay ?? this.#readAll(accountId, groups), end]);
    }
  }

  /** One project after the other, so that an account with many has no more than its turn. */
  #readAll(accountId: string, groups: readonly Group[]): Promise<void> {
    const reading = (async () => {
      for (const group of groups) if (isStale(group)) await this.#read(group);
    })().finally(() => this.#underWay.delete(accountId));
    this.#underWay.set(accountId, reading);
    return reading;
  }

  async #read({ days, known }: Group): Promise<void> {
    const from = firstSpanOf(days, new Date());
    const inTurn = <T>(work: () => Promise<T>) =>
      this.#inTurn(() => {
        if (this.#closed) throw new Error('closed');
        return work();
      });
    try {
      known.spans = await known.reader.read(this.#options.metricReads, from, inTurn);
      known.until = Date.now() + FRESH_MS;
    } catch (error) {
      known.until = Date.now() + FAILED_MS;
      if (!this.#closed) this.#options.onError(error);
    }
  }

  /** Queries about the same project and spans are answered together. */
  #groupsOf(
    queries: readonly (readonly [string, PageNumberQuery])[],
    revisions: ReadonlyMap<string, string>,
  ): Group[] {
    const together = Map.groupBy(
      queries,
      ([, { projectId, days }]) => `${projectId} ${spanSecondsOf(days)}`,
    );
    return [...together.values()].map((members) => this.#groupOf(members, revisions));
  }

  #groupOf(
    members: readonly (readonly [string, PageNumberQuery])[],
    revisions: ReadonlyMap<string, string>,
  ): Group {
    const paths = [...new Set(members.map(([, { path }]) => JSON.stringify(path)))].toSorted();
    const fields = paths.map((json) => ({
      path: JSON.parse(json) as string[],
      last: members.some(
        ([, { path, aggregate }]) => aggregate === 'last' && JSON.stringify(path) === json,
      ),
    }));
    const days = Math.max(...members.map(([, query]) => query.days));
    const { projectId } = members[0]![1];
    const reading = { projectId, fields, spanSeconds: spanSecondsOf(days) };
    // Sums from before a deletion of metrics are not used again.
    const key = JSON.stringify([reading, days, revisions.get(projectId)]);
    const first = firstSpanOf(days, new Date());
    const known = this.#known.get(key) ?? {
      reader: new MetricReader(reading, first),
      spans: undefined,
      until: 0,
    };
    const size = (fields.length * 2 * days * 24 * 3_600) / reading.spanSeconds;
    this.#known.set(key, known, { size });
    return {
      days,
      known,
      queries: members.map(([id, query]) => ({
        id,
        query,
        field: paths.indexOf(JSON.stringify(query.path)),
      })),
    };
  }
}

function isStale({ known }: Group): boolean {
  return known.until <= Date.now();
}
