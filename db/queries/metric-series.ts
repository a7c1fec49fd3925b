import { sql } from 'kysely';
import type { Measure, MetricFilter } from '#contract/metric-query.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database } from '#db/connections/handles.ts';
import { NOT_PREPARED } from '#db/connections/prepared-statement-client.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { AGGREGATE_EXPRESSIONS, CONDITIONS, toGroup } from './metric-measures.ts';
import { isInRange, type MetricRange } from './metric-range.ts';
import { type SqlFragment, toNumber, jsonTextAt } from './metric-values.ts';

export interface SeriesQuery extends MetricRange {
  since: string;
  until: string;
  /** Start times of the buckets. The first is at or before `since`. */
  starts: readonly Date[];
  measure: Measure;
  filters: readonly MetricFilter[];
  groupBy?: readonly string[] | undefined;
}

/** `bucket` is null for the total of all buckets. */
export interface SeriesSum {
  bucket: number | null;
  group: string | null;
  value: number | null;
}

export interface Series {
  /** Largest group first. */
  sums: SeriesSum[];
  rowCount: number;
  groupCount: number;
}

/** With at least this many paths, parsing a payload once is cheaper than one extraction per path. */
const MIN_PATHS_TO_PARSE_ONCE = 4;

/** Aggregates metrics by bucket and in total; with `groupBy`, per group. Empty buckets are left out. */
export async function aggregateSeries(db: Database, query: SeriesQuery): Promise<Series> {
  const { measure, filters, groupBy } = query;
  const paths = [measure, ...filters].map(({ path }) => path);
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
  const measured = fieldAt(measure.path);
  const value = AGGREGATE_EXPRESSIONS[measure.aggregate](measured.text, measured.number);
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
        SELECT bucket, "group", count(*)::integer AS rows, ${value} AS value
        FROM (
          SELECT *, ${group} AS "group", ${sql.join(
            columns.map(({ text, number }) => sql`${toNumber(text)} AS ${number}`),
          )}
          FROM (
            SELECT ${parsesOnce ? sql`id, received_at, ${textColumns}` : sql`*`},
              width_bucket(received_at, ${starts}::timestamptz[]) - 1 AS bucket
            FROM (
              SELECT id, received_at, ${payloadColumns} FROM metrics WHERE ${isInRange(query)} OFFSET 0
            ) AS metric
            OFFSET 0
          ) AS metric
          WHERE ${sql.join([sql`true`, ...conditions], sql` AND `)}
          OFFSET 0
        ) AS metric
        GROUP BY GROUPING SETS ((bucket, "group"), ("group"))
      ), largest AS (
        SELECT "group", rows AS size FROM summed
        WHERE bucket IS NULL
        ORDER BY size DESC, "group" COLLATE "C" LIMIT ${LIMITS.groups}
      )
      SELECT
        (SELECT coalesce(sum(rows), 0)::integer FROM summed WHERE bucket IS NULL) AS "rowCount",
        (SELECT count(*)::integer FROM summed WHERE bucket IS NULL) AS "groupCount",
        coalesce(json_agg(json_build_object('bucket', bucket, 'group', summed."group", 'value', value)
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
