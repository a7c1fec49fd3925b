import type { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import type { QueryMetricsResponse } from '#contract/metric-responses.ts';
import { findBucketStarts } from '#db/queries/metric-buckets.ts';
import {
  BUCKET_UNITS,
  type BucketUnit,
  type Measure,
  type MetricAggregate,
  type MetricFilter,
} from '#contract/metric-query.ts';
import { estimateMetrics, type SeriesSum, aggregateSeries } from '#db/queries/metric-series.ts';
import type { Database } from '#db/connections/handles.ts';
import { LIMITS } from '#contract/shared/limits.ts';

/** Larger result sets are sampled: only every 2nd, 4th, 8th … metric is read. */
const MAX_METRICS_READ = 100_000;

/** In samples, the results of these are multiplied by the sampling interval. */
const SCALED_AGGREGATES: ReadonlySet<MetricAggregate> = new Set(['count', 'sum']);

export interface MetricQuery {
  projectId: string;
  /** `since` is inclusive, `until` exclusive; ISO 8601. */
  since: string;
  until: string;
  timeZone: string;
  bucket: BucketUnit;
  measures: readonly Measure[];
  filters: readonly MetricFilter[];
  groupBy?: readonly string[] | undefined;
}

type MetricSeries = NonNullable<z.infer<typeof QueryMetricsResponse>['previous']>;

/** `compare` adds the preceding period of the same length with the same groups. */
export async function queryMetrics(
  db: Database,
  query: MetricQuery & { compare: boolean },
): Promise<MetricSeries & { previous: MetricSeries | null }> {
  const current = await readSeries(db, query);
  if (!query.compare) return { ...parseGroups(current), previous: null };
  const since = Date.parse(query.since);
  const previousSince = new Date(2 * since - Date.parse(query.until)).toISOString();
  const groups = query.groupBy && [
    ...new Set(current.series.map(({ group }) => group as string | null)),
  ];
  const previous = await readSeries(
    db,
    { ...query, since: previousSince, until: query.since },
    groups,
  );
  return { ...parseGroups(current), previous: parseGroups(previous) };
}

function parseGroups(result: MetricSeries): MetricSeries {
  const series = result.series.map(({ group, ...line }) => ({
    ...line,
    group: JSON.parse(String(group)) as typeof group,
  }));
  return { ...result, series };
}

/** Returns groups as JSON text, which tells 1 from "1". */
async function readSeries(
  db: Database,
  query: MetricQuery,
  groups?: (string | null)[],
): Promise<MetricSeries> {
  const { since, until, timeZone, bucket, measures, groupBy } = query;
  const starts = await findBucketStarts(db, { since, until, timeZone, unit: bucket });
  const metricCount = await estimateMetrics(db, query, MAX_METRICS_READ);
  const every = Math.min(
    2 ** Math.ceil(Math.log2(Math.max(1, metricCount / MAX_METRICS_READ))),
    65_536,
  );
  const { sums, rowCount, groupCount } = await aggregateSeries(db, {
    ...query,
    starts,
    groups,
    sampleInterval: every,
  });
  const sumsByGroup = Map.groupBy(sums, ({ group }) => group);
  const selectedGroups = groups ?? (groupBy ? [...sumsByGroup.keys()] : [null]);
  const plots = selectedGroups.flatMap((group) =>
    measures.map(({ aggregate }, measure) => ({
      measure,
      group,
      ...buildSeries(sumsByGroup.get(group) ?? [], {
        aggregate,
        measure,
        every,
        length: starts.length,
      }),
    })),
  );
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    times: starts.map((start) => start.toISOString()),
    series: plots.map(({ measure, group, values }) => ({ measure, group, values })),
    totals: plots.map(({ total }) => total),
    rows: rowCount * every,
    groups: groupBy ? groupCount : 1,
    sampled: every === 1 ? null : { every },
  };
}

function buildSeries(
  sums: readonly SeriesSum[],
  {
    aggregate,
    measure,
    every,
    length,
  }: Pick<Measure, 'aggregate'> & { measure: number; every: number; length: number },
): { values: (number | null)[]; total: number | null } {
  const scaleFactor = SCALED_AGGREGATES.has(aggregate) ? every : 1;
  const emptyValue = SCALED_AGGREGATES.has(aggregate) || aggregate === 'distinct' ? 0 : null;
  const plot = {
    values: Array.from({ length }, (): number | null => emptyValue),
    total: emptyValue,
  };
  for (const { bucket, values } of sums) {
    const value = values[measure] ?? null;
    const scaled = value === null ? emptyValue : value * scaleFactor;
    if (bucket === null) plot.total = scaled;
    else plot.values[bucket] = scaled;
  }
  return plot;
}

/** Approximate, because months have 30 days here. */
const BUCKET_MS: Record<BucketUnit, number> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

const MAX_READABLE_BUCKETS = 400;

export function chooseBucketUnit(rangeMs: number): BucketUnit {
  return BUCKET_UNITS.find((unit) => rangeMs / BUCKET_MS[unit] <= MAX_READABLE_BUCKETS) ?? 'month';
}

export function exceedsBucketLimit(unit: BucketUnit, rangeMs: number): boolean {
  return rangeMs / BUCKET_MS[unit] > LIMITS.buckets;
}
