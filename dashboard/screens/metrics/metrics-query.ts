import { HOUR_MS } from '#contract/shared/durations.ts';
import type { ResponseOf, api, owner } from '#dashboard/api/api.ts';
import { navigate, currentPath, query } from '#dashboard/router.ts';
import { timeZone } from '#dashboard/time-zones.ts';
import { t } from '#dashboard/translate.ts';

export type Project = ResponseOf<typeof api.stats.getProjects>['projects'][number];
export type MetricsQuery = Parameters<typeof owner.metrics.queryMetrics>[0];
export type MetricsResult = ResponseOf<typeof owner.metrics.queryMetrics>;
export type Measure = NonNullable<MetricsQuery['measures']>[number];
type Aggregate = NonNullable<Measure['aggregate']>;
type Bucket = NonNullable<MetricsQuery['bucket']>;
type Condition = NonNullable<MetricsQuery['filters']>[number]['is'];

/**
 * Keyed by the name in the URL: label, length in milliseconds, and label within a sentence.
 * All ranges end now.
 */
export const RANGES = {
  '1h': [t('Last hour'), HOUR_MS, t('last hour')],
  '24h': [t('Last 24 hours'), 24 * HOUR_MS, t('last 24 hours')],
  '7d': [t('Last 7 days'), 7 * 24 * HOUR_MS, t('last 7 days')],
  '30d': [t('Last 30 days'), 30 * 24 * HOUR_MS, t('last 30 days')],
  '90d': [t('Last 90 days'), 90 * 24 * HOUR_MS, t('last 90 days')],
  '1y': [t('Last year'), 365 * 24 * HOUR_MS, t('last year')],
} as const;
export type Range = keyof typeof RANGES;

export interface QueryResult {
  query: MetricsQuery;
  range: Range;
  result: MetricsResult;
}

/** Times of a range that ends now, rounded up to the second. */
function rangeTimes(range: Range): { since: string; until: string } {
  const now = Math.ceil(Date.now() / 1_000) * 1_000;
  const [, durationMs] = RANGES[range];
  return { since: new Date(now - durationMs).toISOString(), until: new Date(now).toISOString() };
}

/** Suffixes of the URL parameters for filters. */
export const FILTER_SUFFIXES = ['', '2', '3', '4', '5'] as const;
export type FilterSuffix = (typeof FILTER_SUFFIXES)[number];

type ParamName =
  | 'range'
  | 'field'
  | 'aggregate'
  | 'group'
  | 'bucket'
  | `${'where' | 'is' | 'value'}${FilterSuffix}`;

export type QueryParams = Readonly<Partial<Record<ParamName, string | undefined>>>;

export function queryParams(): QueryParams {
  return Object.fromEntries([...query.value].filter(([, value]) => value));
}

/**
 * Changes parameters in the URL. `undefined` removes one. With `replace`, the change gets no entry
 * in the browser history.
 */
export function updateQuery(change: Partial<QueryParams>, { replace = false } = {}): void {
  const next = Object.entries({ ...queryParams(), ...change }).filter(([, value]) => value);
  navigate(`${currentPath.peek()}?${new URLSearchParams(next as [string, string][])}`, { replace });
}

/** Paths are JSON arrays in the URL, because keys can contain any character. */
function parsePath(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) && path.every((key) => typeof key === 'string') ? path : undefined;
  } catch {
    return undefined;
  }
}

export function formatPath(path: readonly string[]): string {
  return path.map((key) => (/[.\s]|^$/.test(key) ? `“${key}”` : key)).join('.') || t('metrics');
}

/** 30 days by default. */
export function rangeName({ range }: QueryParams): Range {
  return range && Object.hasOwn(RANGES, range) ? (range as Range) : '30d';
}

export type MetricsDescription = ResponseOf<typeof owner.metrics.getMetricFields>;

/**
 * The initial query if the URL has none: the sum of the first numeric field, or the number of
 * metrics if there is none, over the shortest range that includes all metrics (at most a year).
 */
export function defaultQuery(
  { fields, oldest_at }: MetricsDescription,
  now = Date.now(),
): QueryParams {
  const ageMs = now - Date.parse(oldest_at ?? '');
  const range =
    Object.entries(RANGES).find(([, [, durationMs]]) => ageMs < durationMs)?.[0] ?? '1y';
  const field = fields.find(({ types }) => types.includes('number'));
  return {
    range,
    ...(field && { field: JSON.stringify(field.path) }),
  };
}

export function toQuery(projectId: string, params: QueryParams): MetricsQuery {
  return {
    project_id: projectId,
    ...rangeTimes(rangeName(params)),
    time_zone: timeZone,
    bucket: (params.bucket ?? 'auto') as Bucket,
    measures: [parseMeasure(params)],
    group_by: parsePath(params.group),
    filters: FILTER_SUFFIXES.flatMap((suffix) => parseFilter(params, suffix)),
  };
}

export function parseMeasure({ field, aggregate }: QueryParams): {
  path: string[];
  aggregate: Aggregate;
} {
  const path = parsePath(field) ?? [];
  // An address may have an aggregate of numbers without a field.
  return path.length > 0
    ? { path, aggregate: (aggregate as Aggregate | undefined) ?? 'sum' }
    : { path, aggregate: 'count' };
}

export function measureOf({ measures }: Pick<MetricsQuery, 'measures'>): Measure {
  return measures?.[0] ?? {};
}

function parseFilter(params: QueryParams, suffix: FilterSuffix) {
  const path = parsePath(params[`where${suffix}`]);
  const is = (params[`is${suffix}`] ?? 'eq') as Condition;
  const value = params[`value${suffix}`];
  if (!path || (needsValue(is) && value === undefined)) return [];
  return [{ path, is, value: needsValue(is) ? parseValue(value!, is) : undefined }];
}

export function needsValue(is: string | undefined): boolean {
  return is !== 'exists' && is !== 'missing';
}

/** The server compares text with the number or boolean that it spells, too. */
function parseValue(text: string, is: Condition): string | number {
  const isText = is === 'eq' || is === 'ne' || is === 'contains';
  return isText || text.trim() === '' || !Number.isFinite(Number(text)) ? text : Number(text);
}
