import type { z } from 'zod';
import {
  BUCKET_UNITS,
  type BucketUnit,
  type Measure,
  type MetricFilter,
} from '#contract/metric-query.ts';
import type { QueryMetricsResponse } from '#contract/metric-responses.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database } from '#db/connections/handles.ts';
import { findBucketStarts } from '#db/queries/metric-buckets.ts';
import { type SeriesSum, aggregateSeries } from '#db/queries/metric-series.ts';

export interface MetricQuery {
  projectId: string;
  /** `since` is inclusive, `until` exclusive; ISO 8601. */
  since: string;
  until: string;
  timeZone: string;
  bucket: BucketUnit;
  measure: Measure;
  filters: readonly MetricFilter[];
  groupBy?: readonly string[] | undefined;
}

type MetricsResult = Omit<z.infer<typeof QueryMetricsResponse>, 'bucket'>;

export async function queryMetrics(db: Database, query: MetricQuery): Promise<MetricsResult> {
  const { since, until, timeZone, bucket, measure, groupBy } = query;
  const starts = await findBucketStarts(db, { since, until, timeZone, unit: bucket });
  const { sums, rowCount, groupCount } = await aggregateSeries(db, { ...query, starts });
  const sumsByGroup = Map.groupBy(sums, ({ group }) => group);
  const groups = groupBy ? [...sumsByGroup.keys()] : [null];
  const plots = groups.map((group) => ({
    group: parseGroup(group),
    ...buildSeries(sumsByGroup.get(group) ?? [], measure, starts.length),
  }));
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    times: starts.map((start) => start.toISOString()),
    series: plots.map(({ group, values }) => ({ measure: 0, group, values })),
    totals: plots.map(({ total }) => total),
    rows: rowCount,
    groups: groupBy ? groupCount : 1,
  };
}

/** Groups are JSON text, which distinguishes 1 from "1". */
function parseGroup(group: string | null): string | number | boolean | null {
  return group === null ? null : (JSON.parse(group) as string | number | boolean);
}

function buildSeries(
  sums: readonly SeriesSum[],
  { aggregate }: Measure,
  length: number,
): { values: (number | null)[]; total: number | null } {
  const emptyValue = aggregate === 'count' || aggregate === 'sum' ? 0 : null;
  const plot = {
    values: Array.from({ length }, (): number | null => emptyValue),
    total: emptyValue as number | null,
  };
  for (const { bucket, value } of sums) {
    if (bucket === null) plot.total = value;
    else plot.values[bucket] = value;
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
