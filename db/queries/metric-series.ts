import { sql } from 'kysely';
import type { Measure, MetricFilter } from '#contract/metric-query.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { NOT_PREPARED } from '#db/connections/prepared-statement-client.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { isInRange, type MetricRange } from './metric-range.ts';
import { exists } from './rows.ts';
import { AGGREGATES, CONDITIONS, toGroup } from './metric-measures.ts';
import { type SqlFragment, toNumber, jsonTextAt } from './metric-values.ts';

export interface SeriesQuery extends MetricRange {
  since: string;
  until: string;
  /** Start times of the buckets. The first is at or before `since`. */
  starts: readonly Date[];
  measures: readonly Measure[];
  filters: readonly MetricFilter[];
  groupBy?: readonly string[] | undefined;
  /** Restricts the result to these groups (default: the largest). */
  groups?: readonly (string | null)[] | undefined;
  /** Reads one in this many metrics: a power of two up to 65,536. */
  sampleInterval: number;
}

/** `bucket` is null for the total of all buckets. */
export interface SeriesSum {
  bucket: number | null;
  group: string | null;
  values: (number | null)[];
}

export interface Series {
  /** Largest group first. */
  sums: SeriesSum[];
  rowCount: number;
  groupCount: number;
}

/** If at least one in 16 metrics is sampled, reading all rows is cheaper than index lookups. */
const MAX_FULL_READ_INTERVAL = 16;
/** With at least this many paths, parsing a payload once is cheaper than one extraction per path. */
const MIN_PATHS_TO_PARSE_ONCE = 4;

/** Aggregates metrics by bucket and in total; with `groupBy`, per group. Empty buckets are left out. */
export async function aggregateSeries(db: Database, query: SeriesQuery): Promise<Series> {
  const { measures, filters, groupBy } = query;
  const paths = [...measures, ...filters].map(({ path }) => path);
  const fields = toFields(groupBy ? [...paths, groupBy] : paths);
  const fieldAt = (path: readonly string[]) => fields.get(JSON.stringify(path))!;
  const columns = [...fields.values()];
  // Extract the fields in the innermost query, so that parallel workers do it.
  const textColumns = sql.join(columns.map(({ value, text }) => sql`${value} AS ${text}`));
  const parsesOnce = fields.size >= MIN_PATHS_TO_PARSE_ONCE;
  const payloadColumns = parsesOnce ? sql`payload::jsonb AS payload` : textColumns;
  const group = groupBy ? toGroup(fieldAt(groupBy).text) : sql`NULL::text`;
  const conditions = filters.map(({ path, is, value }) =>
    CONDITIONS[is](fieldAt(path).text, value),
  );
  const values = measures.map(({ path, aggregate }) => {
    const { text, number } = fieldAt(path);
    return AGGREGATES[aggregate](text, number);
  });
  const starts = query.starts.map((start) => start.toISOString());
  return inTransaction(db, async (trx) => {
    // Force index scans, even for a partition without statistics. Encourage parallel workers,
    // because PostgreSQL underestimates the cost of parsing payloads.
    await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('work_mem', '32MB', true), set_config('parallel_setup_cost', '100', true), set_config('parallel_tuple_cost', '0', true)`.execute(
      trx,
    );
    // OFFSET 0 keeps PostgreSQL from merging the subqueries, because it would then evaluate an
    // expression once per use.
    const { rows } = await sql<Series>`${sql.raw(NOT_PREPARED)}
      WITH summed AS MATERIALIZED (
        SELECT bucket, "group", count(*)::integer AS rows, json_build_array(${sql.join(values)}) AS values
        FROM (
          SELECT *, ${group} AS "group", ${sql.join(
            columns.map(({ text, number }) => sql`${toNumber(text)} AS ${number}`),
          )}
          FROM (
            SELECT ${parsesOnce ? sql`id, received_at, ${textColumns}` : sql`*`},
              width_bucket(received_at, ${starts}::timestamptz[]) - 1 AS bucket
            FROM (${selectMetrics(query, payloadColumns)}) AS metric
            OFFSET 0
          ) AS metric
          WHERE ${sql.join([sql`true`, ...conditions], sql` AND `)}
          OFFSET 0
        ) AS metric
        GROUP BY GROUPING SETS ((bucket, "group"), ("group"))
      ), largest AS (
        SELECT "group", rows AS size FROM summed
        WHERE bucket IS NULL AND ${isInGroups(query.groups)}
        ORDER BY size DESC, "group" COLLATE "C" LIMIT ${LIMITS.groups}
      )
      SELECT
        (SELECT coalesce(sum(rows), 0)::integer FROM summed WHERE bucket IS NULL) AS "rowCount",
        (SELECT count(*)::integer FROM summed WHERE bucket IS NULL) AS "groupCount",
        coalesce(json_agg(json_build_object('bucket', bucket, 'group', summed."group", 'values', values)
          ORDER BY size DESC, summed."group" COLLATE "C"), '[]') AS sums
      FROM largest JOIN summed ON summed."group" IS NOT DISTINCT FROM largest."group"`.execute(trx);
    return rows[0]!;
  });
}

/**
 * SQL for one path: the expression that extracts its value, and the columns that hold it as JSON
 * text and as a number.
 */
interface Field {
  value: SqlFragment;
  text: SqlFragment;
  number: SqlFragment;
}

function toFields(paths: readonly (readonly string[])[]): Map<string, Field> {
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const fields = [...distinct].map(([name, path], index): [string, Field] => [
    name,
    {
      value: valueAt(path),
      text: sql.id(`text_${index}`),
      number: sql.id(`number_${index}`),
    },
  ]);
  return new Map(fields);
}

function valueAt(path: readonly string[]): SqlFragment {
  return path.length === 0 ? sql`payload::text` : jsonTextAt(sql`payload`, sql`${path}::text[]`);
}

/** Selects all metrics or a sample. The multiplication spreads the sample evenly over all ids. */
function selectMetrics(
  { sampleInterval, ...range }: SeriesQuery,
  payloadColumns: SqlFragment,
): SqlFragment {
  const isSampled = sql`${isInRange(range)} AND id % 65536 * 40503 % 65536 < ${65_536 / sampleInterval}`;
  if (sampleInterval <= MAX_FULL_READ_INTERVAL)
    return sql`SELECT id, received_at, ${payloadColumns} FROM metrics WHERE ${isSampled} OFFSET 0`;
  return sql`SELECT metric.*
    FROM (
      SELECT received_at AS sample_received_at, id AS sample_id FROM metrics WHERE ${isSampled} OFFSET 0
    ) AS sample,
    LATERAL (
      SELECT id, received_at, ${payloadColumns} FROM metrics
      WHERE project_id = ${range.projectId}::uuid AND received_at = sample_received_at AND id = sample_id OFFSET 0
    ) AS metric OFFSET 0`;
}

function isInGroups(groups: SeriesQuery['groups']): SqlFragment {
  if (!groups) return sql`true`;
  const texts = groups.filter((name) => name !== null);
  return sql`("group" = ANY (${texts}::text[]) OR ("group" IS NULL AND ${groups.includes(null)}))`;
}

export function hasMetricWith(
  db: ReadDatabase,
  range: MetricRange,
  path: readonly string[],
): Promise<boolean> {
  return exists(db, sql`metrics WHERE ${isInRange(range)} AND ${valueAt(path)} IS NOT NULL`);
}

/** Exact up to `limit`; otherwise the planner's estimate, but at least `limit` + 1. */
export async function estimateMetrics(
  db: ReadDatabase,
  range: MetricRange,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count
    FROM (SELECT FROM metrics WHERE ${isInRange(range)} LIMIT ${limit + 1}) AS first`.execute(db);
  const { count } = rows[0]!;
  if (count <= limit) return count;
  const plan = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    EXPLAIN (FORMAT JSON) SELECT FROM metrics WHERE ${isInRange(range)}`.execute(db);
  return Math.max(count, plan.rows[0]!['QUERY PLAN'][0]!.Plan['Plan Rows']);
}
