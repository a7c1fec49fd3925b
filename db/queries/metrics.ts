import { CompiledQuery, sql } from 'kysely';
import type { Database, Executor, ReadDatabase } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { MetricKey } from './metric-keys.ts';
import { isInRange, type MetricRange } from './metric-range.ts';

const BATCH_ROWS = 1_000;
const BATCH_BYTES = 262_144;
const FIRST_BATCH_ROWS = 64;
/** Approximate size of a metric without its payload. */
export const METRIC_OVERHEAD_BYTES = 100;

export interface NewMetric {
  accountId: string;
  projectId: string;
  /** JSON. */
  payload: string;
  idempotencyClaim?: MetricKey | undefined;
}

/**
 * Stores and returns the metrics whose project belongs to their account and is not being deleted,
 * and whose idempotency key is not claimed. Of several metrics with the same key, stores one.
 */
export async function insertMetrics<Metric extends NewMetric>(
  db: Executor,
  metrics: readonly Metric[],
): Promise<Set<Metric>> {
  // One array for each column: PostgreSQL reads them faster than JSON.
  const columns = [
    metrics.map(({ accountId }) => accountId),
    metrics.map(({ projectId }) => projectId),
    metrics.map(({ payload }) => payload),
  ];
  const claims = metrics.map(({ idempotencyClaim }) => idempotencyClaim);
  const keys = [claims.map((claim) => claim?.keyHash), claims.map((claim) => claim?.bodyHash)];
  const statement = claims.some(Boolean)
    ? CompiledQuery.raw(INSERT_KEYED, [...columns, ...keys])
    : CompiledQuery.raw(INSERT_UNKEYED, columns);
  const { rows } = await db.executeQuery<{ rejected: string }>(statement);
  const rejected = new Set(rows.map((row) => Number(row.rejected) - 1));
  return new Set(metrics.filter((_metric, index) => !rejected.has(index)));
}

/** Locks each project once. */
const OPEN_PROJECTS = `
  SELECT open.account_id, open.id
  FROM (SELECT DISTINCT "accountId", "projectId" FROM metric) AS wanted
  JOIN LATERAL (
    -- One index lookup per project, even with a plan made while the table was small.
    SELECT account_id, id FROM projects
    WHERE id = "projectId" AND account_id = "accountId" AND closed_at IS NULL
    FOR KEY SHARE
  ) AS open ON true`;

/** Returns the rejected metrics, because they are fewer. */
const STORE_ACCEPTED = `stored AS (
    INSERT INTO metrics (project_id, payload)
    SELECT "projectId", payload FROM accepted ORDER BY position
  )
  SELECT position AS rejected FROM metric WHERE position NOT IN (SELECT position FROM accepted)`;

/**
 * The subqueries hide the lengths of the arrays from the planner. Otherwise PostgreSQL would plan
 * each execution for a small group again, which takes longer than the insert.
 */
const INSERT_UNKEYED = `
  WITH metric AS (
    SELECT * FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::json[]))
      WITH ORDINALITY AS metric ("accountId", "projectId", payload, position)
  ), project AS (${OPEN_PROJECTS}), accepted AS (
    SELECT position, "projectId", payload FROM metric
    WHERE ("accountId", "projectId") IN (SELECT account_id, id FROM project)
  ), ${STORE_ACCEPTED}`;

/** The fixed order of claims prevents deadlocks. */
const INSERT_KEYED = `
  WITH metric AS (
    SELECT * FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::json[]),
      (SELECT $4::uuid[]), (SELECT $5::uuid[]))
      WITH ORDINALITY AS metric ("accountId", "projectId", payload, key, body, position)
  ), project AS (${OPEN_PROJECTS}), owned AS (
    SELECT DISTINCT ON ("accountId", key, CASE WHEN key IS NULL THEN position END) *
    FROM metric WHERE ("accountId", "projectId") IN (SELECT account_id, id FROM project)
  ), claimed AS (
    INSERT INTO metric_keys (account_id, key_hash, body_hash)
    SELECT "accountId", key, body FROM owned WHERE key IS NOT NULL ORDER BY "accountId", key
    ON CONFLICT (account_id, key_hash) DO UPDATE
    SET (body_hash, created_at) = (EXCLUDED.body_hash, EXCLUDED.created_at)
    WHERE metric_keys.created_at < EXCLUDED.created_at - interval '24 hours'
    RETURNING account_id, key_hash
  ), accepted AS (
    SELECT position, "projectId", payload FROM owned
    WHERE key IS NULL OR ("accountId", key) IN (SELECT account_id, key_hash FROM claimed)
  ), ${STORE_ACCEPTED}`;

/** Returns how many metrics were deleted. Skips rows that another transaction is deleting. */
export async function deleteSomeMetrics(
  db: Executor,
  range: MetricRange,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM metrics USING (
      SELECT received_at, id FROM metrics
      WHERE ${isInRange(range)}
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ) AS batch
    WHERE metrics.project_id = ${range.projectId}::uuid
      AND metrics.received_at = batch.received_at AND metrics.id = batch.id`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export interface MetricPosition {
  received_at: string;
  id: string;
}

/** `received_at` has microseconds (ISO 8601, UTC); the payload is JSON text. */
export interface StoredMetric extends MetricPosition {
  payload: string;
}

/**
 * Oldest first, from `since` (inclusive) to `until` (exclusive), both ISO 8601. Lists all metrics
 * until now by default, and holds one batch in memory.
 */
export async function* listMetrics(
  db: Database,
  range: { projectId: string; since?: string | undefined; until?: string | undefined },
): AsyncGenerator<StoredMetric[]> {
  const until = range.until ?? (await currentTime(db));
  let after: MetricPosition | undefined;
  for (let limit = FIRST_BATCH_ROWS; ;) {
    const options: MetricBatchOptions = { ...range, until, after, limit, maxBytes: BATCH_BYTES };
    const { metrics } = await findMetrics(db, options);
    after = metrics.at(-1);
    if (!after) return;
    yield metrics;
    // Large payloads make a batch short, so the next one reads fewer rows.
    limit = Math.min(BATCH_ROWS, Math.max(8, metrics.length * 2));
  }
}

/** A batch has at most `limit` metrics and `maxBytes` bytes, but at least one metric. */
export interface MetricBatchOptions {
  projectId: string;
  since?: string | undefined;
  until?: string | undefined;
  after?: MetricPosition | undefined;
  newestFirst?: boolean;
  limit: number;
  maxBytes: number;
}

export async function findMetrics(
  db: Database,
  { projectId, since, until, after, newestFirst = false, limit, maxBytes }: MetricBatchOptions,
): Promise<{ metrics: StoredMetric[]; hasMore: boolean }> {
  const order = newestFirst ? sql`received_at DESC, id DESC` : sql`received_at, id`;
  const comparison = sql.raw(newestFirst ? '<' : '>');
  return inTransaction(db, async (trx) => {
    // Forces index order: without statistics (a new month), PostgreSQL would sort all remaining rows for every batch.
    await sql`SET LOCAL enable_sort = off`.execute(trx);
    // The condition on received_at alone is redundant, but lets PostgreSQL skip partitions. The stored size is
    // a lower bound of the payload size, so payloads beyond the batch are never decompressed.
    const { rows } = await sql<StoredMetric & { hasMore: boolean }>`
      SELECT id::text AS id, payload, found > count(*) OVER () AS "hasMore",
        to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS received_at
      FROM (
        SELECT id, received_at, payload, position, found,
          sum(octet_length(payload) + ${METRIC_OVERHEAD_BYTES}) OVER (ORDER BY position) AS bytes
        FROM (
          SELECT id, received_at, payload::text AS payload, position, found
          FROM (
            SELECT id, received_at, payload, row_number() OVER (ORDER BY ${order}) AS position,
              count(*) OVER () AS found, sum(pg_column_size(payload)) OVER (ORDER BY ${order}) AS stored
            FROM (
              SELECT id, received_at, payload
              FROM metrics
              WHERE project_id = ${projectId}::uuid
                AND received_at >= ${since ?? '-infinity'}::timestamptz
                AND received_at < ${until ?? 'infinity'}::timestamptz
                ${
                  after
                    ? sql`AND (received_at, id) ${comparison} (${after.received_at}::timestamptz, ${after.id}::bigint)
                      AND received_at ${comparison}= ${after.received_at}::timestamptz`
                    : sql``
                }
              ORDER BY ${order}
              LIMIT ${limit + 1}
            ) AS next
          ) AS sized
          WHERE position <= ${limit} AND (stored <= ${maxBytes} OR position = 1)
        ) AS unpacked
      ) AS batch
      WHERE bytes <= ${maxBytes} OR position = 1
      ORDER BY position`.execute(trx);
    return {
      metrics: rows.map(({ id, received_at, payload }) => ({ id, received_at, payload })),
      hasMore: rows[0]?.hasMore ?? false,
    };
  });
}

async function currentTime(db: ReadDatabase): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`.execute(db);
  return rows[0]!.now;
}
