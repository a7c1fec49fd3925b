import { sql } from 'kysely';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { latestNumber, toNumber, jsonTextAt } from './metric-values.ts';
import type { MetricPosition } from './metrics.ts';

export interface MetricField {
  path: readonly string[];
  needsLast: boolean;
}

export interface MetricSpan {
  fieldIndex: number;
  /** Spans are numbered from the Unix epoch. */
  spanIndex: number;
  /** Number of payloads with the field, and of those in which it is a number. */
  valueCount: number;
  numberCount: number;
  sum: number;
  min: number | null;
  max: number | null;
  last: number | null;
  /** When the last number was received. Null unless it is needed. */
  lastAt: string | null;
}

export interface MetricSlice {
  spans: MetricSpan[];
  rowCount: number;
  lastPosition: MetricPosition | null;
}

/** Metrics older than this are settled: no earlier metric can still be committed. */
const COMMIT_DELAY = '30 seconds';

/**
 * Aggregates the project's next `limit` metrics by time span. With `settledOnly`, skips recent
 * metrics, because earlier ones may not be committed yet.
 */
export async function aggregateMetrics(
  db: Database,
  slice: {
    projectId: string;
    fields: readonly MetricField[];
    spanSeconds: number;
    after: MetricPosition;
    settledOnly: boolean;
    limit: number;
  },
): Promise<MetricSlice> {
  const { projectId, spanSeconds, after, settledOnly, limit } = slice;
  const fields = slice.fields.map((field, position) => ({ ...field, position }));
  const { rows } = await inTransaction(db, async (trx) => {
    // Forces index order, even for a partition without statistics.
    await sql`SET LOCAL enable_sort = off`.execute(trx);
    return sql<MetricSlice>`
    WITH slice AS MATERIALIZED (
      SELECT id, received_at, payload::jsonb AS payload,
        floor(date_part('epoch', received_at) / ${spanSeconds}::integer)::integer AS span
      FROM metrics
      WHERE project_id = ${projectId}::uuid
        AND received_at >= ${after.received_at}::timestamptz
        AND (received_at, id) > (${after.received_at}::timestamptz, ${after.id}::bigint)
        AND received_at < CASE WHEN ${settledOnly} THEN now() - ${COMMIT_DELAY}::interval ELSE 'infinity' END
      ORDER BY received_at, id
      LIMIT ${limit}
    ), field AS MATERIALIZED (
      SELECT position, path, "needsLast"
      FROM json_to_recordset(${JSON.stringify(fields)}::json)
        AS field (position integer, path text[], "needsLast" boolean)
    ), summed AS (
      SELECT position AS "fieldIndex", span AS "spanIndex", count(text) AS "valueCount", count(number) AS "numberCount",
        coalesce(sum(number), 0) AS sum, min(number) AS min, max(number) AS max,
        ${latestNumber(sql.ref('number'), sql.ref('needsLast'))} AS last,
        max(received_at) FILTER (WHERE "needsLast" AND number IS NOT NULL) AS "lastAt"
      FROM (
        -- OFFSET 0 keeps PostgreSQL from merging the queries, which would evaluate an expression once per use.
        SELECT *, ${toNumber(sql.ref('text'))} AS number
        FROM (
          SELECT position, "needsLast", span, id, received_at, ${jsonTextAt(sql.ref('payload'), sql.ref('path'))} AS text
          FROM slice CROSS JOIN field OFFSET 0
        ) AS found
        OFFSET 0
      ) AS counted
      WHERE text IS NOT NULL
      GROUP BY position, span
    )
    SELECT coalesce((SELECT json_agg(summed) FROM summed), '[]') AS spans,
      (SELECT count(*) FROM slice)::integer AS "rowCount",
      (SELECT json_build_object('received_at', received_at, 'id', id::text)
        -- In the inner query, the object would be built for every metric before sorting.
        FROM (SELECT received_at, id FROM slice ORDER BY received_at DESC, id DESC LIMIT 1) AS newest
      ) AS "lastPosition"`.execute(trx);
  });
  return rows[0]!;
}
