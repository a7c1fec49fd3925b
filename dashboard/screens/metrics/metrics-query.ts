import { HOUR_MS } from '#contract/durations.ts';
import type { Answer, owner } from '#dashboard/api/api.ts';
import type { Input } from '#dashboard/api/routes.ts';
import { go, place, query } from '#dashboard/router.ts';

/** Query about the metrics of a project. */
export type MetricsQuery = Input<'metrics.queryMetrics'>;
export type MetricsResult = Answer<typeof owner.metrics.queryMetrics>;
type Aggregate = NonNullable<NonNullable<MetricsQuery['measures']>[number]['aggregate']>;
type Bucket = NonNullable<MetricsQuery['bucket']>;
type Condition = NonNullable<MetricsQuery['filters']>[number]['is'];

/** Ranges that end now, by their names in the address. */
export const RANGES = {
  '1h': ['Last hour', HOUR_MS],
  '24h': ['Last 24 hours', 24 * HOUR_MS],
  '7d': ['Last 7 days', 7 * 24 * HOUR_MS],
  '30d': ['Last 30 days', 30 * 24 * HOUR_MS],
  '90d': ['Last 90 days', 90 * 24 * HOUR_MS],
  '1y': ['Last year', 365 * 24 * HOUR_MS],
} as const;
export type Range = keyof typeof RANGES;

/** A query together with its answer. */
export interface QueryResult {
  query: MetricsQuery;
  /** Name of its range; without one, the range ends at a time of its own. */
  range: Range | undefined;
  result: MetricsResult;
}

/** The time zone of the browser, or UTC if it is none by name. */
export const timeZone = browserTimeZone();

function browserTimeZone(): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return name.includes('/') ? name : 'UTC';
}

/** A range that ends now, to the second. */
function rangeTimes(range: Range): { since: string; until: string } {
  const now = Math.ceil(Date.now() / 1_000) * 1_000;
  const [, length] = RANGES[range];
  return { since: new Date(now - length).toISOString(), until: new Date(now).toISOString() };
}

/** Suffix of the names of measures and filters in the address; the first one has none. */
export type ParamSuffix = '' | `${number}`;
export const MEASURE_SUFFIXES = paramSuffixes(6);
export const FILTER_SUFFIXES = paramSuffixes(5);

function paramSuffixes(limit: number): ParamSuffix[] {
  return Array.from({ length: limit }, (_, index): ParamSuffix =>
    index === 0 ? '' : `${index + 1}`,
  );
}

type ParamName =
  | 'range'
  | 'since'
  | 'until'
  | 'group'
  | 'bucket'
  | 'compare'
  | `${'field' | 'aggregate' | 'where' | 'is' | 'value'}${ParamSuffix}`;

/** A question as the address holds it, all of it as text. */
export type QueryParams = Readonly<Partial<Record<ParamName, string | undefined>>>;

/** Query in the address. */
export function queryParams(): QueryParams {
  return Object.fromEntries([...query.value].filter(([, value]) => value));
}

/**
 * Asks something else; what is undefined is left out. The browser's back asks what was asked before,
 * unless it is the same in the making, as a word while it is typed.
 */
export function updateQuery(change: Partial<QueryParams>, { replace = false } = {}): void {
  const next = Object.entries({ ...queryParams(), ...change }).filter(([, value]) => value);
  go(`${place.peek()}?${new URLSearchParams(next as [string, string][])}`, { replace });
}

/** A path in the address: as JSON, since keys can hold anything. */
function parsePath(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) && path.every((key) => typeof key === 'string') ? path : undefined;
  } catch {
    return undefined;
  }
}

/** A path for people. */
export function formatPath(path: readonly string[]): string {
  return path.map((key) => (/[.\s]|^$/.test(key) ? `“${key}”` : key)).join('.') || 'metrics';
}

/** The range of a question that ends now; undefined if it names its ends. */
export function rangeName({ range, since, until }: QueryParams): Range | undefined {
  if (since && until) return undefined;
  return range && range in RANGES ? (range as Range) : '30d';
}

type MetricsDescription = Answer<typeof owner.metrics.describeMetrics>;

/**
 * Query to begin with: the sum of the first field with numbers, or how many metrics there are, in the
 * shortest range that has all that were described.
 */
export function defaultQuery(
  { fields, oldest_at }: MetricsDescription,
  now = Date.now(),
): QueryParams {
  const age = now - Date.parse(oldest_at ?? '');
  const range = Object.entries(RANGES).find(([, [, length]]) => age < length)?.[0] ?? '1y';
  const field = fields.find(({ types }) => types.includes('number'));
  return { range, ...(field && { field: JSON.stringify(field.path), aggregate: 'sum' }) };
}

/** The question as it is sent. */
export function toQuery(projectId: string, asked: QueryParams): MetricsQuery {
  const range = rangeName(asked);
  const groupBy = parsePath(asked.group);
  return {
    projectId,
    ...(range ? rangeTimes(range) : { since: asked.since!, until: asked.until! }),
    timeZone,
    bucket: (asked.bucket ?? 'auto') as Bucket,
    measures: MEASURE_SUFFIXES.flatMap((at) => parseMeasure(asked, at)),
    ...(groupBy && { groupBy }),
    filters: FILTER_SUFFIXES.flatMap((at) => parseFilter(asked, at)),
    compare: asked.compare === '1',
  };
}

function parseMeasure(asked: QueryParams, at: ParamSuffix) {
  const path = parsePath(asked[`field${at}`]);
  if (at && !path) return [];
  const usual = path?.length ? 'sum' : 'count';
  return [{ ...(path && { path }), aggregate: (asked[`aggregate${at}`] ?? usual) as Aggregate }];
}

function parseFilter(asked: QueryParams, at: ParamSuffix) {
  const path = parsePath(asked[`where${at}`]);
  const is = (asked[`is${at}`] ?? 'eq') as Condition;
  const value = asked[`value${at}`];
  if (!path || (needsValue(is) && value === undefined)) return [];
  return [{ path, is, ...(needsValue(is) && { value: parseValue(value!, is) }) }];
}

/** Whether a condition compares with something. */
export function needsValue(is: string | undefined): boolean {
  return is !== 'exists' && is !== 'missing';
}

/** Value that was typed, as what it looks like: a number, true, false or a text. */
function parseValue(text: string, is: Condition): string | number | boolean {
  if (is === 'contains') return text;
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
