import { type Kysely, sql } from 'kysely';
import type { Measure, MetricFilter } from '#contract/metric-query.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { aggregateOf, conditionOf, groupOf } from './metric-measures.ts';
import { type Expression, numberOf, textAt } from './metric-values.ts';

/** The metrics of a project that were received from a time on and before another, both ISO 8601. */
export interface MetricRange {
  projectId: string;
  since: string;
  until: string;
}

export interface SeriesQuery extends MetricRange {
  /** When the buckets begin, the first of them at `since` or before it. */
  starts: readonly Date[];
  measures: readonly Measure[];
  filters: readonly MetricFilter[];
  /** The path whose values tell metrics apart. */
  groupBy?: readonly string[] | undefined;
  /** The groups that are wanted instead of the largest. */
  groups?: readonly (string | null)[] | undefined;
  /** Sampling: one of so many metrics is read. A power of two, at most 65,536. */
  every: number;
}

/** Sum of the metrics of a bucket, or of all of them (null). */
export interface SeriesSum {
  bucket: number | null;
  group: string | null;
  /** In the order of the measures. */
  values: (number | null)[];
}

export interface Series {
  /** Sums, those of the largest group first. */
  sums: SeriesSum[];
  /** How many metrics were counted, and how many groups they make. */
  rows: number;
  groups: number;
}

/** Up to so many rows it costs less to look at all than to find one by the index. */
const MAX_SKIPPED = 16;
/** From so many paths on it costs less to take a payload apart once than to look for each. */
const MANY_PATHS = 4;

/**
 * Sums up metrics by buckets, and as a whole; with `groupBy` each group for itself. Buckets without
 * metrics are left out.
 */
export async function sumUpSeries(db: Kysely<Database>, query: SeriesQuery): Promise<Series> {
  const { measures, filters, groupBy } = query;
  const paths = [...measures, ...filters].map(({ path }) => path);
  const fields = fieldsOf(groupBy ? [...paths, groupBy] : paths);
  const at = (path: readonly string[]) => fields.get(JSON.stringify(path))!;
  const columns = [...fields.values()];
  // Whatever stands beside the table is done by several processes at once.
  const texts = sql.join(columns.map(({ found, text }) => sql`${found} AS ${text}`));
  const isOnce = fields.size >= MANY_PATHS;
  const read = isOnce ? sql`payload::jsonb AS payload` : texts;
  const group = groupBy ? groupOf(at(groupBy).text) : sql`NULL::text`;
  const conditions = filters.map((filter) => conditionOf(filter, at(filter.path).text));
  const values = measures.map(({ path, aggregate }) => {
    const { text, number } = at(path);
    return aggregateOf(aggregate, text, number);
  });
  const starts = query.starts.map((start) => start.toISOString());
  return inTransaction(db, async (trx) => {
    // By the index, also of a month that has no statistics yet; and by several processes, since to take
    // payloads apart takes longer than PostgreSQL estimates.
    await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('work_mem', '32MB', true), set_config('parallel_setup_cost', '100', true), set_config('parallel_tuple_cost', '0', true)`.execute(
      trx,
    );
    // Without OFFSET each part would be made again wherever it is used.
    const { rows } = await sql<Series>`
      WITH summed AS MATERIALIZED (
        SELECT bucket, "group", count(*)::integer AS rows, json_build_array(${sql.join(values)}) AS values
        FROM (
          SELECT *, ${group} AS "group", ${sql.join(
            columns.map(({ text, number }) => sql`${numberOf(text)} AS ${number}`),
          )}
          FROM (
            SELECT ${isOnce ? sql`id, received_at, ${texts}` : sql`*`},
              width_bucket(received_at, ${starts}::timestamptz[]) - 1 AS bucket
            FROM (${metricsOf(query, read)}) AS metric
            OFFSET 0
          ) AS metric
          WHERE ${sql.join([sql`true`, ...conditions], sql` AND `)}
          OFFSET 0
        ) AS metric
        GROUP BY GROUPING SETS ((bucket, "group"), ("group"))
      ), largest AS (
        SELECT "group", rows AS size FROM summed
        WHERE bucket IS NULL AND ${isWanted(query.groups)}
        ORDER BY size DESC, "group" COLLATE "C" LIMIT ${LIMITS.groups}
      )
      SELECT
        (SELECT coalesce(sum(rows), 0)::integer FROM summed WHERE bucket IS NULL) AS rows,
        (SELECT count(*)::integer FROM summed WHERE bucket IS NULL) AS groups,
        coalesce(json_agg(json_build_object('bucket', bucket, 'group', summed."group", 'values', values)
          ORDER BY size DESC, summed."group" COLLATE "C"), '[]') AS sums
      FROM largest JOIN summed ON summed."group" IS NOT DISTINCT FROM largest."group"`.execute(trx);
    return rows[0]!;
  });
}

/** A path as the statement knows it: how it is found, and the columns of its JSON text and its number. */
interface Field {
  found: Expression;
  text: Expression;
  number: Expression;
}

function fieldsOf(paths: readonly (readonly string[])[]): Map<string, Field> {
  const different = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const fields = [...different].map(([name, path], index): [string, Field] => [
    name,
    {
      found: foundAt(path),
      text: sql.id(`text_${index}`),
      number: sql.id(`number_${index}`),
    },
  ]);
  return new Map(fields);
}

/** JSON text of the value at a path; null if there is none. */
function foundAt(path: readonly string[]): Expression {
  return path.length === 0 ? sql`payload::text` : textAt(sql`payload`, sql`${path}::text[]`);
}

/** The metrics that are read: all, or a sample. Whichever ids a project has, so it is spread as evenly as can be. */
function metricsOf({ every, ...range }: SeriesQuery, read: Expression): Expression {
  const isRead = sql`${isWithin(range)} AND id % 65536 * 40503 % 65536 < ${65_536 / every}`;
  if (every <= MAX_SKIPPED)
    return sql`SELECT id, received_at, ${read} FROM metrics WHERE ${isRead} OFFSET 0`;
  return sql`SELECT metric.*
    FROM (
      SELECT received_at AS chosen_at, id AS chosen FROM metrics WHERE ${isRead} OFFSET 0
    ) AS chosen,
    LATERAL (
      SELECT id, received_at, ${read} FROM metrics
      WHERE project_id = ${range.projectId}::uuid AND received_at = chosen_at AND id = chosen OFFSET 0
    ) AS metric OFFSET 0`;
}

function isWithin({ projectId, since, until }: MetricRange): Expression {
  return sql`project_id = ${projectId}::uuid
    AND received_at >= ${since}::timestamptz AND received_at < ${until}::timestamptz`;
}

function isWanted(groups: SeriesQuery['groups']): Expression {
  if (!groups) return sql`true`;
  const texts = groups.filter((name) => name !== null);
  return sql`("group" = ANY (${texts}::text[]) OR ("group" IS NULL AND ${groups.includes(null)}))`;
}

/** Whether any metric has a value at a path. */
export async function hasMetricWith(
  db: Kysely<Database>,
  range: MetricRange,
  path: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM metrics WHERE ${isWithin(range)} AND ${foundAt(path)} IS NOT NULL
    ) AS found`.execute(db);
  return rows[0]!.found;
}

/** How many metrics there are: exactly up to `limit`, else approximately. */
export async function estimateMetrics(
  db: Kysely<Database>,
  range: MetricRange,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count
    FROM (SELECT FROM metrics WHERE ${isWithin(range)} LIMIT ${limit + 1}) AS first`.execute(db);
  const { count } = rows[0]!;
  if (count <= limit) return count;
  const plan = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    EXPLAIN (FORMAT JSON) SELECT FROM metrics WHERE ${isWithin(range)}`.execute(db);
  return Math.max(count, plan.rows[0]!['QUERY PLAN'][0]!.Plan['Plan Rows']);
}
